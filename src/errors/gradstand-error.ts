import type { ErrorCode } from "./codes.js";

/**
 * The one error class of the package. `code` is stable and may be tested by a program; `message` is for a
 * person and says what was expected, what was found and what to do.
 */
export class GradstandError extends Error {
  override readonly name = "GradstandError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(`${code}: ${message}`, options);
  }
}

/** Throws a {@link GradstandError}. */
export function fail(code: ErrorCode, message: string, options?: { cause?: unknown }): never {
  throw new GradstandError(code, message, options);
}
