import { exp32 } from "../../../tensor/math/index.js";

/** eˣ in the precision of the kernel: the float32 primitive of the package, or `Math.exp` in float64. */
export function exponential(x: number, single: boolean): number {
  return single ? exp32(Math.fround(x)) : Math.exp(x);
}
