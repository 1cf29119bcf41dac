import type { Floats } from "../dtype.js";

/** A zero-filled array of the type of `like`. */
export function emptyLike<F extends Floats>(like: F, length: number): F {
  return (like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length)) as F;
}
