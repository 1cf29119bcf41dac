import type { JacobianPattern, Pattern } from "../law-failure.js";
import { blockHint, flipHint, transposeHint } from "./rearranged.js";

/** Two numbers are taken for equal when they differ by less than this, relative to the largest of their array. */
const close = 1e-5;

/** What the ratio of found to expected, or the pattern in which they differ, suggests; undefined when it suggests nothing. */
export function hintOf(pattern: Pattern): string | undefined {
  const { expected, found, others, jacobian } = pattern;
  const known = indices(expected.length).filter((i) => Number.isFinite(expected[i]!));
  const size = Math.max(...known.map((i) => Math.abs(expected[i]!)), 0);
  const same = (a: number, b: number): boolean => Math.abs(a - b) <= close * size;
  if (known.some((i) => Number.isNaN(found[i]!)))
    return "NaN where a finite number is right: look for 0/0, 0·∞, log or sqrt of a negative number, or where(…) with an infinite branch";
  if (known.length === 0)
    return "the function itself is NaN or infinite at or beside these inputs: draw others, or guard it (an epsilon, clip, where)";
  if (size === 0) return "not 0 although the result does not depend on it";
  if (known.every((i) => found[i] === 0))
    return "0 everywhere: detached, or the rule gives no cotangent for it (values(), item(), a missing entry)";
  const ratio = ratioOf(pattern, known, size);
  if (ratio !== undefined) return ratioHint(ratio, pattern.shape, known.length);
  const wrong = known.filter((i) => !same(expected[i]!, found[i]!));
  for (const [name, other] of others ?? [])
    if (
      other.length === expected.length &&
      other !== found &&
      known.every((i) => same(other[i]!, expected[i]!))
    )
      return `what is found for ${name} is right here: two operands are swapped`;
  const rearranged =
    transposeHint(pattern, same) ??
    blockHint(pattern, same) ??
    flipHint(pattern, same) ??
    (jacobian && jacobianHint(jacobian));
  if (rearranged) return rearranged;
  const axis = constantAxis(pattern, same);
  if (axis !== undefined)
    return `off by the same amount along axis ${axis}: a term that is summed or averaged along that axis is missing`;
  if (wrong.length < known.length)
    return `${wrong.length} of ${known.length} elements differ, the others are right${
      wrong.every((i) => found[i] === 0) ? "; the wrong ones are 0" : ""
    }`;
  return undefined;
}

function jacobianHint({ resultRank, ...jacobian }: JacobianPattern): string | undefined {
  const size = Math.max(...Array.from(jacobian.expected, Math.abs), 0);
  const name = (axis: number): string =>
    axis < resultRank ? `axis ${axis} of the result` : `axis ${axis - resultRank} of the input`;
  const hint = transposeHint(jacobian, (a, b) => Math.abs(a - b) <= close * size, name);
  return hint && `${hint} in the Jacobian: an operand is to be transposed`;
}

function indices(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

/** found/expected where that is one number for all elements. */
function ratioOf({ expected, found }: Pattern, known: readonly number[], size: number): number | undefined {
  const first = known.find((i) => Math.abs(expected[i]!) === size)!;
  const ratio = found[first]! / expected[first]!;
  const fits = known.every(
    (i) => Math.abs(found[i]! - ratio * expected[i]!) <= close * size * Math.max(1, Math.abs(ratio)),
  );
  return fits ? ratio : undefined;
}

function ratioHint(ratio: number, shape: readonly number[], elements: number): string {
  const is = (value: number): boolean => Math.abs(ratio / value - 1) <= close;
  if (Math.abs(ratio - 1) <= 1e-3)
    return "nearly right: a small error, such as an approximation, a rounding to float32 or a forgotten epsilon";
  const times = `found = ${Number(ratio.toPrecision(6))} × expected`;
  if (is(0.5)) return `${times}: a term is missing where a value is used twice (fan-out), or a factor 2`;
  if (is(2)) return `${times}: a factor 2 too much, or a term that is added twice`;
  if (is(-1)) return `${times}: a sign`;
  const axis = shape.findIndex((n) => n > 1 && (is(n) || is(1 / n)));
  if (axis >= 0) {
    const n = shape[axis]!;
    return is(n)
      ? `${times}, the size of axis ${axis}: a mean's 1/${n} is missing, or a sum over a broadcast axis that is none`
      : `${times}, 1 over the size of axis ${axis}: a mean for a sum, or a broadcast axis that was not summed over`;
  }
  return elements === 1 ? `${times}, in the only element` : `${times}: one constant factor`;
}

/** The axis along which the error does not change, when it does change otherwise or the axis is the only one. */
function constantAxis(
  { shape, expected, found }: Pattern,
  same: (a: number, b: number) => boolean,
): number | undefined {
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const n = shape[axis]!;
    const step = stride;
    stride *= n;
    if (n < 2) continue;
    const constant = indices(expected.length).every((i) => {
      if (Math.floor(i / step) % n === 0) return true;
      return same(found[i]! - expected[i]!, found[i - step]! - expected[i - step]!);
    });
    if (constant) return axis;
  }
  return undefined;
}
