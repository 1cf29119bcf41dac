import { GradstandError } from "../../errors/index.js";
import type { LawResult } from "../law-result.js";
import { failureMessage } from "./failure-message.js";

/** A law that was found broken: `E_LAW`, with a message of at most 15 lines and the result itself. */
export class LawError extends GradstandError {
  constructor(readonly result: LawResult) {
    super("E_LAW", failureMessage(result));
  }
}
