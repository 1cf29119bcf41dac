import { expect } from "vitest";
import { jvp, vjp, type Tensor } from "../../../src/autograd/index.js";
import { cotangentLike, inner, largest } from "./cotangent.js";
import { alongTangents, type Function } from "./differences.js";

/** J·v agrees with differences along v, and ⟨J·v, w⟩ = ⟨v, Jᵀ·w⟩, to 1e-12 in float64. */
export function expectAdjoint(f: Function, inputs: readonly Tensor[], step = 3e-4): void {
  const tangents = inputs.map((x, i) => cotangentLike(x, `tangent ${i}`));
  const { value, tangent } = jvp(f, inputs, tangents);
  expect(tangent.shape).toEqual(value.shape);
  const differences = alongTangents(f, inputs, tangents, step);
  const pushed = tangent.values();
  const size = Math.max(1, largest(pushed));
  for (let i = 0; i < pushed.length; i++)
    expect(Math.abs(pushed[i]! - differences[i]!) / size, `element ${i} of J·v`).toBeLessThanOrEqual(1e-8);

  const w = cotangentLike(value, "w");
  const pulled = vjp(f, ...inputs).pullback(w);
  const left = inner(tangent, w);
  const right = tangents.reduce((sum, v, i) => sum + inner(v, pulled[i]!), 0);
  expect(Math.abs(left - right) / Math.max(1, Math.abs(left))).toBeLessThanOrEqual(1e-12);
}
