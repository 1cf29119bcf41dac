import { expect } from "vitest";
import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { cotangentLike, largest } from "./cotangent.js";
import type { Function } from "./differences.js";

/** Half the distance between neighbouring float32 numbers just above 1. */
const u = 2 ** -24;

export interface Float32Tolerance {
  /** In units of u·max(|g|, |cotangent|); 4 for elementwise operations. */
  readonly units?: number;
  /** Each element depends on one element of the cotangent only, the one at its own place. */
  readonly elementwise?: boolean;
}

/**
 * The float32 gradient agrees with the float64 gradient at the same (float32) point: element by element within
 * units·u·max(|g|, |cotangent|). An elementwise operation without broadcasting keeps to 4 units and the cotangent of the same
 * element; where cotangents are summed, the units are those of the operation and the cotangent is the largest.
 */
export function expectFloat32Gradients(
  f: Function,
  inputs: readonly Tensor[],
  { units = 4, elementwise = false }: Float32Tolerance = {},
): void {
  const single = inputs.map((x) => x.cast("float32"));
  const coarse = vjp(f, ...single);
  const fine = vjp(f, ...single.map((x) => x.cast("float64")));
  expect(coarse.value.dtype).toBe("float32");
  const cotangent = cotangentLike(coarse.value);
  const found = coarse.pullback(cotangent);
  const exact = fine.pullback(cotangent.cast("float64"));
  const weights = cotangent.values();
  const most = largest(weights);
  inputs.forEach((x, input) => {
    expect(found[input]!.dtype).toBe("float32");
    const a = found[input]!.values();
    const b = exact[input]!.values();
    const own = elementwise && x.size === weights.length;
    for (let i = 0; i < a.length; i++) {
      const allowed =
        (own ? Math.min(units, 4) : units) *
        u *
        Math.max(Math.abs(b[i]!), own ? Math.abs(weights[i]!) : most);
      expect(
        Math.abs(a[i]! - b[i]!),
        `input ${input}, element ${i}: float32 ${a[i]}, float64 ${b[i]}`,
      ).toBeLessThanOrEqual(allowed);
    }
  });
}
