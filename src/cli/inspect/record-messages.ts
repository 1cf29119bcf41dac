import type { ErrorCode } from "../../errors/index.js";
import type { InspectDocument } from "../../inspect/index.js";

/** What is recorded of a file, and how. */
export interface RecordRequest {
  readonly file: string;
  /** The set of kernels. */
  readonly kernels: string;
  /** The one export that is meant. */
  readonly only: string | undefined;
  readonly seed: number;
  readonly options: RecordOptions;
}

/** The options of a recording that the command line sets. */
export interface RecordOptions {
  readonly unfused: boolean;
  readonly full: number;
  readonly replayable: boolean;
}

/** What the thread tells. */
export type RecordMessage =
  /** The file was imported. */
  | { readonly kind: "imported" }
  | { readonly kind: "document"; readonly document: InspectDocument }
  | { readonly kind: "error"; readonly code: ErrorCode; readonly message: string };
