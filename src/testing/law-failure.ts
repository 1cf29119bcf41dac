import { GradstandError } from "../errors/index.js";
import { failureMessage } from "./failure-message.js";
import type { LawResult } from "./law-result.js";

/** Where a law was broken, and how. */
export interface LawFailure {
  /** What was compared and which element, such as `gradient of input 0, element [1, 2]`. */
  readonly where: string;
  readonly expected: number | string;
  readonly found: number | string;
  /** Where the two come from, such as `differences` and `rule`. */
  readonly sources?: { readonly expected: string; readonly found: string };
}

/** A law that was found broken: `E_LAW`, with a message of at most 15 lines and the result itself. */
export class LawError extends GradstandError {
  constructor(readonly result: LawResult) {
    super("E_LAW", failureMessage(result));
  }
}
