import { expect } from "vitest";
import { hvp, vjp, type Tensor } from "../../../src/autograd/index.js";
import { cotangentLike, inner, largest } from "./cotangent.js";
import { fivePoint, type Function } from "./differences.js";

/**
 * Hessian-vector products of a curved scalar function of f, Σ c·y + ½d·y² for numbers c and d that all differ: they agree
 * with differences of the gradient to 1e-7, and ⟨H·v, w⟩ = ⟨v, H·w⟩ to 1e-12.
 */
export function expectSecondOrder(f: Function, inputs: readonly Tensor[], step = 3e-4): void {
  const objective = (...xs: Tensor[]): Tensor => {
    const y = f(...xs);
    return y
      .square()
      .mul(cotangentLike(y, "d"))
      .mul(0.5)
      .add(y.mul(cotangentLike(y, "c")))
      .sum();
  };
  const vs = inputs.map((x, i) => cotangentLike(x, `v${i}`));
  const ws = inputs.map((x, i) => cotangentLike(x, `w${i}`));
  const { product, gradient } = hvp(objective, inputs, vs);
  const first = vjp(objective, ...inputs);
  const one = cotangentLike(first.value).mul(0).add(1);
  first.pullback(one).forEach((g, i) => expect(gradient[i]!.values()).toEqual(g.values()));

  const flat = (parts: readonly Tensor[]): number[] => parts.flatMap((part) => [...part.values()]);
  const differences = fivePoint(
    (t) => flat(vjp(objective, ...inputs.map((x, i) => x.add(vs[i]!.mul(t)))).pullback(one)),
    step,
  );
  const found = flat(product);
  const size = Math.max(1, largest(found), largest(flat(gradient)));
  found.forEach((slope, i) =>
    expect(
      Math.abs(slope - differences[i]!) / size,
      `element ${i} of H·v: ${slope}, differences ${differences[i]}`,
    ).toBeLessThanOrEqual(1e-7),
  );

  const other = hvp(objective, inputs, ws).product;
  const left = ws.reduce((sum, w, i) => sum + inner(product[i]!, w), 0);
  const right = vs.reduce((sum, v, i) => sum + inner(other[i]!, v), 0);
  expect(Math.abs(left - right) / Math.max(1, Math.abs(left), size)).toBeLessThanOrEqual(1e-12);
}
