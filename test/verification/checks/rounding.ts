import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

const u = 2 ** -24;

/** A use of a reduction or product, and what its float32 error is measured by. */
export interface RoundingUse {
  readonly f: TensorFunction;
  /** float64 numbers, which are rounded to float32 first. */
  readonly inputs: readonly Tensor[];
  /** √n·Σ|x| of each element of the result, from the inputs. */
  readonly bound: TensorFunction;
}

const singles = (inputs: readonly Tensor[]): Tensor[] => inputs.map((x) => x.cast("float32"));
const doubles = (inputs: readonly Tensor[]): Tensor[] => singles(inputs).map((x) => x.cast("float64"));

/** The float32 value is the float64 value within 4·u·√n·Σ|x|, element by element. */
export function checkRounding({ f, inputs, bound }: RoundingUse): LawResult {
  const comparison = new Comparison("Rounding");
  const fine = doubles(inputs);
  const unit = bound(...fine).values();
  apart(comparison, "u·√n·Σ|x|", 4, f(...singles(inputs)), f(...fine), (i) => u * unit[i]!);
  return comparison.result();
}

/** A fused operation, and the same composed of others. */
export interface TwinUse extends RoundingUse {
  readonly twin: TensorFunction;
}

/**
 * A fused operation and its composed twin. In float32 the values are apart by two errors of 4·u·√n·Σ|x| each at most. In
 * float64 values and gradients agree to 1e-12 of the largest.
 */
export function checkTwin({ f, twin, inputs, bound }: TwinUse): LawResult {
  const comparison = new Comparison("Twin");
  const fine = doubles(inputs);
  const unit = bound(...fine).values();
  apart(comparison, "u·√n·Σ|x|", 8, f(...singles(inputs)), twin(...singles(inputs)), (i) => u * unit[i]!);
  const one = vjp(f, ...fine);
  const other = vjp(twin, ...fine);
  const close = (part: string, found: Tensor, expected: Tensor): void => {
    const size = Math.max(1, largest(expected.values()));
    apart(comparison, part, 1e-12, found, expected, () => size);
  };
  close("value in float64", one.value, other.value);
  const cotangent = cotangentLike(one.value);
  const gradients = other.pullback(cotangent);
  one.pullback(cotangent).forEach((g, i) => close("gradient in float64", g, gradients[i]!));
  return comparison.result();
}

function apart(
  comparison: Comparison,
  part: string,
  tolerance: number,
  found: Tensor,
  expected: Tensor,
  unit: (i: number) => number,
): void {
  const a = found.values();
  if (String(found.shape) !== String(expected.shape)) {
    comparison.sameKind(part, tolerance, "value", found, expected.cast(found.dtype as "float32"));
    return;
  }
  expected.values().forEach((wanted, i) => {
    const error = a[i] === wanted ? 0 : Math.abs(a[i]! - wanted) / unit(i);
    comparison.error(part, tolerance, error, () => ({
      where: `element ${i}`,
      expected: wanted,
      found: a[i]!,
    }));
  });
}
