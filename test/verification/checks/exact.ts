import { tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import { isFloating } from "../../../src/tensor/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import type { LawResult } from "../../../src/testing/index.js";
import type { Exact } from "../sample.js";

/** Far below the distance of the whole numbers to any kink, and exact in binary. */
const step = 1 / 16;

/** Whole cotangents that differ from their neighbours, in both signs. */
function wholeCotangent(shape: readonly number[], size: number): Tensor {
  const values = Float64Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 1 : -1) * (1 + ((i * 5) % 7)));
  return tensor(values, { shape });
}

/**
 * On small whole numbers an operation has the very value of the naive loop, in float64 and in float32, and the gradient that
 * follows from the loop: its central difference, which is exact while the loop is a polynomial of degree two at most in each
 * element. Shape and type are those of the loop and, for gradients, of the input.
 */
export function checkExact({ f, naive, inputs, withoutGradient = false }: Exact): LawResult {
  const comparison = new Comparison("Exact");
  const wanted = naive(...inputs);
  const cotangent = wholeCotangent(wanted.shape, wanted.size);
  const slopes = withoutGradient ? [] : inputs.map((_, i) => exactGradient(naive, inputs, i, cotangent));
  for (const dtype of ["float64", "float32"] as const) {
    const xs = inputs.map((x) => (isFloating(x.dtype) ? x.cast(dtype) : x));
    const { value, pullback } = vjp(f, ...xs);
    const expected = isFloating(wanted.dtype) ? wanted.cast(dtype) : wanted;
    if (!equal(comparison, `value in ${dtype}`, value, expected) || withoutGradient) continue;
    pullback(cotangent.cast(dtype)).forEach((g, i) =>
      equal(comparison, `gradient of input ${i} in ${dtype}`, g, slopes[i]!.cast(dtype)),
    );
  }
  return comparison.result();
}

/** Shape, type and every number, zeros of either sign being equal; returns whether shape and type are. */
function equal(comparison: Comparison, where: string, found: Tensor, expected: Tensor): boolean {
  if (!comparison.sameKind("equal", 0, where, found, expected)) return false;
  const values = found.values();
  expected.values().forEach((exact, i) => {
    const same = values[i] === exact || (Number.isNaN(values[i]) && Number.isNaN(exact));
    comparison.error("equal", 0, same ? 0 : Infinity, () => ({
      where: `${where}, element ${i}`,
      expected: exact,
      found: values[i]!,
      sources: { expected: "naive loop", found: "operation" },
    }));
  });
  return true;
}

function exactGradient(
  naive: Exact["naive"],
  inputs: readonly Tensor[],
  at: number,
  cotangent: Tensor,
): Tensor {
  const weights = cotangent.values();
  const { shape } = inputs[at]!;
  const moved = (element: number, by: number): ArrayLike<number> => {
    const values = inputs[at]!.values();
    values[element] = values[element]! + by;
    return naive(...inputs.map((x, i) => (i === at ? tensor(values, { shape }) : x))).values();
  };
  const gradient = Float64Array.from({ length: inputs[at]!.size }, (_, element) => {
    const [up, down] = [moved(element, step), moved(element, -step)];
    let total = 0;
    for (let i = 0; i < up.length; i++) total += (weights[i]! * (up[i]! - down[i]!)) / (2 * step);
    return total;
  });
  return tensor(gradient, { shape });
}
