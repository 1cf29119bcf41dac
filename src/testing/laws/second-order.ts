import { hvp, onesLike, vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, inner, largest } from "../cotangent.js";
import { fivePoint } from "../differences.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** Options of {@link checkSecondOrder}. */
export interface SecondOrderOptions {
  /** Largest error of H·v against differences of the gradient, relative to max(1, |H·v|∞, |g|∞). Default 1e-7. */
  readonly tolerance?: number;
  /** Largest |⟨H·v, w⟩ − ⟨v, H·w⟩|, relative to the same and to the product. Default 1e-12. */
  readonly symmetryTolerance?: number;
  /** The step of the differences. Default 3e-4. */
  readonly step?: number;
}

/**
 * Hessian-vector products of a curved scalar function of f, Σ c·y + ½d·y² for numbers c and d that all differ: they agree
 * with differences of the gradient, and ⟨H·v, w⟩ = ⟨v, H·w⟩. The gradient beside them is the gradient, to the bit.
 */
export function checkSecondOrder(
  f: TensorFunction,
  inputs: readonly Tensor[],
  { tolerance = 1e-7, symmetryTolerance = 1e-12, step = 3e-4 }: SecondOrderOptions = {},
): LawResult {
  const comparison = new Comparison("SecondOrder");
  const objective = curved(f);
  const vs = inputs.map((x, i) => cotangentLike(x, `v${i}`));
  const ws = inputs.map((x, i) => cotangentLike(x, `w${i}`));
  const { product, gradient } = hvp(objective, inputs, vs);
  const first = vjp(objective, ...inputs);
  const one = onesLike(first.value);
  first
    .pullback(one)
    .forEach((g, i) => comparison.bits(`gradient of input ${i} beside the product`, gradient[i]!, g));

  const flat = (parts: readonly Tensor[]): number[] => parts.flatMap((part) => [...part.values()]);
  const differences = fivePoint(
    (t) => flat(vjp(objective, ...inputs.map((x, i) => x.add(vs[i]!.mul(t)))).pullback(one)),
    step,
  );
  const found = flat(product);
  const size = Math.max(1, largest(found), largest(flat(gradient)));
  found.forEach((slope, i) =>
    comparison.error("H·v against differences", tolerance, Math.abs(slope - differences[i]!) / size, () => ({
      where: `element ${i} of H·v, all inputs one after the other`,
      expected: differences[i]!,
      found: slope,
      sources: { expected: "differences of the gradient", found: "rule" },
    })),
  );

  const other = hvp(objective, inputs, ws).product;
  const left = ws.reduce((sum, w, i) => sum + inner(product[i]!, w), 0);
  const right = vs.reduce((sum, v, i) => sum + inner(other[i]!, v), 0);
  comparison.error(
    "symmetry",
    symmetryTolerance,
    Math.abs(left - right) / Math.max(1, Math.abs(left), size),
    () => ({ where: "⟨H·v, w⟩ and ⟨v, H·w⟩", expected: right, found: left }),
  );
  return comparison.result();
}

function curved(f: TensorFunction): TensorFunction {
  return (...xs) => {
    const y = f(...xs);
    return y
      .square()
      .mul(cotangentLike(y, "d"))
      .mul(0.5)
      .add(y.mul(cotangentLike(y, "c")))
      .sum();
  };
}

/** {@link checkSecondOrder}, throwing `E_LAW` when it does not hold. */
export function expectSecondOrder(
  f: TensorFunction,
  inputs: readonly Tensor[],
  options?: SecondOrderOptions,
): LawResult {
  return required(checkSecondOrder(f, inputs, options));
}
