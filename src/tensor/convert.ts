import { allocate, type DType } from "./dtype.js";
import { NDArray } from "./ndarray.js";

/**
 * The elements as another type: to int32 by truncation modulo 2³² (NaN and infinities give 0), to bool as "is not 0" (NaN
 * is true, as in NumPy), to float32 by rounding.
 */
export function convert(x: NDArray, dtype: DType): NDArray {
  if (x.dtype === dtype) return x;
  const out = allocate(dtype, x.size);
  const { data } = x;
  if (dtype === "bool") for (let i = 0; i < out.length; i++) out[i] = data[i] !== 0 ? 1 : 0;
  else out.set(data);
  return new NDArray(x.shape, dtype, out);
}
