import type { DType } from "../../tensor/index.js";

/*
 * The safetensors format (https://huggingface.co/docs/safetensors): eight bytes with the length of a header, little-endian; the
 * header, JSON: each tensor's type, shape and place by name, and free texts under "__metadata__"; then the elements of all
 * tensors without a gap, little-endian, rows first.
 */

/** The bytes before the header. */
export const lengthBytes = 8;

/** The longest header that a reader takes, as in the format's own reader. */
export const longestHeader = 100_000_000;

/** The key of the header that names no tensor. */
export const metadataKey = "__metadata__";

/** A tensor as the header has it; its place is counted from the end of the header. */
export interface TensorEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

/** How an element type is written. */
export interface ElementCode {
  readonly name: string;
  readonly bytes: number;
  put(view: DataView, at: number, value: number): void;
  get(view: DataView, at: number): number;
}

/** The codes of the element types. */
export const elementCodes: Readonly<Record<DType, ElementCode>> = {
  float64: {
    name: "F64",
    bytes: 8,
    put: (view, at, value) => view.setFloat64(at, value, true),
    get: (view, at) => view.getFloat64(at, true),
  },
  float32: {
    name: "F32",
    bytes: 4,
    put: (view, at, value) => view.setFloat32(at, value, true),
    get: (view, at) => view.getFloat32(at, true),
  },
  int32: {
    name: "I32",
    bytes: 4,
    put: (view, at, value) => view.setInt32(at, value, true),
    get: (view, at) => view.getInt32(at, true),
  },
  bool: {
    name: "BOOL",
    bytes: 1,
    put: (view, at, value) => view.setUint8(at, value),
    get: (view, at) => view.getUint8(at),
  },
};
