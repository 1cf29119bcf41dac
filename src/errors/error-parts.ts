import type { ErrorCode } from "./codes.js";
import { formatGiven } from "./given.js";
import { GradstandError } from "./gradstand-error.js";

/** An error as plain data, which can be sent to another thread; `message` is without the code. */
export interface ErrorParts {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The parts of anything that was thrown; what is no error of this package is E_INTERNAL, with its stack where it has one. */
export function errorParts(error: unknown): ErrorParts {
  if (error instanceof GradstandError)
    return { code: error.code, message: error.message.slice(error.code.length + 2) };
  return { code: "E_INTERNAL", message: formatGiven(error instanceof Error ? error.stack : error) };
}
