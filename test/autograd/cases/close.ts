import { expect } from "vitest";
import { tensor, type Tensor, type TensorData } from "../../../src/autograd/index.js";

/** The same shape, and every element within the tolerance; infinities and NaN must be the same. */
export function expectClose(found: Tensor | undefined, wanted: TensorData, tolerance = 1e-6): void {
  expect(found).toBeDefined();
  const expected = tensor(wanted, { dtype: "float64" });
  expect(found!.shape).toEqual(expected.shape);
  const a = found!.values();
  const b = expected.values();
  for (let i = 0; i < b.length; i++) {
    if (Number.isFinite(b[i]!))
      expect(Math.abs(a[i]! - b[i]!), `element ${i}`).toBeLessThanOrEqual(tolerance);
    else expect(a[i], `element ${i}`).toBe(b[i]);
  }
}

/** A leaf that asks for its gradient. */
export function leaf(data: TensorData, dtype: "float32" | "float64" = "float64"): Tensor {
  return tensor(data, { dtype, requiresGrad: true });
}

/** The gradient of a scalar function of one leaf. */
export function gradientOf(f: (x: Tensor) => Tensor, data: TensorData): Tensor {
  const x = leaf(data);
  f(x).backward();
  return x.grad!;
}
