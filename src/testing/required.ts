import { LawError } from "./law-failure.js";
import type { LawResult } from "./law-result.js";

/** The result of a law that held. Throws {@link LawError} (`E_LAW`) for one that did not. */
export function required(result: LawResult): LawResult {
  if (!result.passed) throw new LawError(result);
  return result;
}
