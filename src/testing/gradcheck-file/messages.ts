import type { ErrorCode } from "../../errors/index.js";
import type { CheckOptions } from "./check-case.js";
import type { CheckLine } from "./check-line.js";

/** What a thread is asked to do. */
export interface Request extends CheckOptions {
  readonly file: string;
  /** The set of kernels. */
  readonly kernels: string;
  /** The one case or idea to check. */
  readonly only: string | undefined;
}

/** What a thread tells while it works. */
export type Message =
  | {
      readonly kind: "found";
      /** Every case and idea of the file. */
      readonly names: readonly string[];
      readonly passedOver: readonly string[];
    }
  /** The case or idea that is checked from now on. */
  | { readonly kind: "subject"; readonly name: string }
  | { readonly kind: "line"; readonly line: CheckLine }
  | { readonly kind: "error"; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: "end" };
