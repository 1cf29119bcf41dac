import { hvp, onesLike, tensor, vjp, type Tensor } from "../../autograd/index.js";
import { CloserSlopes } from "../closer-slopes.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, inner, largest } from "../cotangent.js";
import { fivePoint } from "../differences.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import {
  problemOf,
  requireFloat64,
  type Subject,
  type SubjectOptions,
  type TensorFunction,
} from "../subject.js";

/** Options of {@link checkSecondOrder}. */
export interface SecondOrderOptions extends SubjectOptions {
  /** Largest error of H·v against differences of the gradient, relative to max(1, |H·v|∞, |g|∞). Default 1e-7. */
  readonly tolerance?: number;
  /** Largest |⟨H·v, w⟩ − ⟨v, H·w⟩|, relative to the same and to the product. Default 1e-12. */
  readonly symmetryTolerance?: number;
  /** The step of the differences. Default 3e-4. */
  readonly step?: number;
}

/**
 * In float64, Hessian-vector products of a curved scalar function of f, Σ c·y + ½d·y² for numbers c and d that all differ: they
 * agree with differences of the gradient, and ⟨H·v, w⟩ = ⟨v, H·w⟩. The gradient beside them is the gradient, to the bit.
 */
export function checkSecondOrder(
  subject: Subject,
  inputs: readonly Tensor[],
  options: SecondOrderOptions = {},
): LawResult {
  const { tolerance = 1e-7, symmetryTolerance = 1e-12, step = 3e-4 } = options;
  const comparison = new Comparison("SecondOrder");
  const { f, points, names } = problemOf(subject, inputs, { ...options, dtype: "float64" });
  const objective = curved(f);
  const vs = points.map((x, i) => cotangentLike(x, `v${i}`));
  const ws = points.map((x, i) => cotangentLike(x, `w${i}`));
  const { product, gradient } = hvp(objective, points, vs);
  const first = vjp(objective, ...points);
  requireFloat64(comparison.law, first.value);
  const one = onesLike(first.value);
  first
    .pullback(one)
    .forEach((g, i) => comparison.bits(`gradient of ${names[i]} beside H·v`, gradient[i]!, g));

  const slopesAt = (t: number): Float64Array =>
    joined(vjp(objective, ...points.map((x, i) => x.add(vs[i]!.mul(t)))).pullback(one));
  const rule = joined(product);
  const size = Math.max(1, largest(rule), largest(joined(gradient)));
  const closer = new CloserSlopes(slopesAt, step);
  const differences = fivePoint(slopesAt, step).map((slope, i) =>
    Math.abs(slope - rule[i]!) > tolerance * size ? closer.slope((all) => all[i]!) : slope,
  );
  let from = 0;
  product.forEach((found, i) => {
    const expected = differences.subarray(from, (from += found.size));
    comparison.tensors(found, tensor(expected, { shape: found.shape }), {
      part: "H·v against differences",
      tolerance,
      where: `H·v in ${names[i]}`,
      sources: { expected: "differences of the gradient", found: "rule" },
      scale: size,
    });
  });

  const other = hvp(objective, points, ws).product;
  const left = ws.reduce((sum, w, i) => sum + inner(product[i]!, w), 0);
  const right = vs.reduce((sum, v, i) => sum + inner(other[i]!, v), 0);
  const error = Math.abs(left - right) / Math.max(1, Math.abs(left), size);
  comparison.error("symmetry", symmetryTolerance, error, () => ({
    where: "⟨H·v, w⟩ and ⟨v, H·w⟩",
    expected: right,
    found: left,
  }));
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

function joined(parts: readonly Tensor[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part.values()]));
}

/** {@link checkSecondOrder}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectSecondOrder(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: SecondOrderOptions,
): LawResult {
  return requiredOf(checkSecondOrder, subject, inputs, options);
}
