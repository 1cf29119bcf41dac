import type { DType } from "../tensor/index.js";
import type { JsonNumber } from "./document.js";

/** An array, whole. */
export interface StoredArray {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** The elements row-major, little-endian, in base64. */
  readonly base64: string;
}

/** How a setting holds an array: as one, as its elements alone, or as a tensor. */
export type ArrayForm = "array" | "elements" | "tensor";

/** A setting of an operation, as JSON holds it. */
export type StoredSetting =
  | number
  | string
  | boolean
  | null
  | readonly StoredSetting[]
  | { readonly number: JsonNumber }
  | { readonly record: Readonly<Record<string, StoredSetting>> }
  /** A place in `arrays`. */
  | { readonly array: number; readonly form: ArrayForm }
  /** The value of a node. */
  | { readonly node: number; readonly form: ArrayForm };

/** What is needed to compute a recorded computation again; see `replay`. */
export interface Recording {
  /** The option `full` of the document. */
  readonly full: number;
  /** What the arrays take, in bytes, and how much was allowed. */
  readonly bytes: number;
  readonly allowed: number;
  /** Why it cannot be computed again; nothing is kept then. */
  readonly refusal?: string;
  readonly arrays: readonly StoredArray[];
  /** Of leaves and constants: a place in `arrays`, or the node whose value they share. */
  readonly values: Readonly<Record<number, number | { readonly of: number }>>;
  /** Of operations that have settings. */
  readonly settings: Readonly<Record<number, StoredSetting>>;
  /** Inputs of operations that had lost their gradient when they were used, as what leaves a scope does. */
  readonly cut: Readonly<Record<number, readonly number[]>>;
  /** Operations that were defined outside of the package. */
  readonly foreign: readonly number[];
  /** Operations that cannot be carried out again, and why. */
  readonly closed: Readonly<Record<number, string>>;
  /** The cotangent that was given; a place in `arrays`. */
  readonly cotangent?: number;
}
