import { stridesOf } from "../../tensor/index.js";
import type { Pattern } from "../law-failure.js";

type Same = (a: number, b: number) => boolean;

/** Two axes of equal length exchanged; `name` says which axis that is. */
export function transposeHint(
  { shape, expected, found }: Pattern,
  same: Same,
  name = (axis: number) => `axis ${axis}`,
): string | undefined {
  const strides = stridesOf(shape);
  for (let a = 0; a < shape.length; a++)
    for (let b = a + 1; b < shape.length; b++) {
      if (shape[a] !== shape[b] || shape[a]! < 2) continue;
      const swapped = Array.from(expected, (value, i) => {
        const [p, q] = [a, b].map((axis) => Math.floor(i / strides[axis]!) % shape[axis]!) as [
          number,
          number,
        ];
        return same(value, found[i + (q - p) * (strides[a]! - strides[b]!)]!);
      }).every(Boolean);
      if (swapped) return `transposed: right but for an exchange of ${name(a)} and ${name(b)}`;
    }
  return undefined;
}

/** Equal blocks along the first axis, such as the gates of a recurrent weight: in another order, or some of them transposed. */
export function blockHint({ shape, expected, found }: Pattern, same: Same): string | undefined {
  const rows = shape[0] ?? 0;
  for (const count of [3, 4, 2]) {
    if (shape.length === 0 || rows % count !== 0 || rows < count) continue;
    const length = expected.length / count;
    const order = orderOfBlocks(expected, found, count, length, same);
    if (order?.some((from, to) => from !== to))
      return `the ${count} blocks along axis 0 are right but in another order, [${order.join(", ")}]: permuted gates`;
    const height = rows / count;
    if (shape.length !== 2 || height !== shape[1] || height < 2) continue;
    const turned: number[] = [];
    const fits = Array.from({ length: count }, (_, block) => block).every((block) => {
      if (sameRange(expected, found, block * length, block * length, length, same)) return true;
      turned.push(block);
      return isBlock(expected, found, block * length, height, height, same);
    });
    if (fits) return `block ${turned.join(", ")} of the ${count} along axis 0 is transposed`;
  }
  return undefined;
}

/** The elements in the opposite order along one axis. */
export function flipHint({ shape, expected, found }: Pattern, same: Same): string | undefined {
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const n = shape[axis]!;
    const step = stride;
    stride *= n;
    if (n < 2) continue;
    const flipped = Array.from(expected, (value, i) => {
      const at = Math.floor(i / step) % n;
      return same(value, found[i + (n - 1 - 2 * at) * step]!);
    }).every(Boolean);
    if (flipped) return `the right elements, in the opposite order along axis ${axis}`;
  }
  return undefined;
}

/** Whether rows of square matrices, from a place on, are transposed; `total` counts rows. */
function isBlock(
  expected: ArrayLike<number>,
  found: ArrayLike<number>,
  from: number,
  total: number,
  n: number,
  same: Same,
): boolean {
  for (let row = 0; row < total; row++) {
    const matrix = from + Math.floor(row / n) * n * n;
    for (let column = 0; column < n; column++)
      if (!same(expected[from + row * n + column]!, found[matrix + column * n + (row % n)]!)) return false;
  }
  return true;
}

function sameRange(
  expected: ArrayLike<number>,
  found: ArrayLike<number>,
  at: number,
  from: number,
  length: number,
  same: Same,
): boolean {
  for (let i = 0; i < length; i++) if (!same(expected[at + i]!, found[from + i]!)) return false;
  return true;
}

/** For each block that was found, which of those expected it is; undefined when one is none of them. */
function orderOfBlocks(
  expected: ArrayLike<number>,
  found: ArrayLike<number>,
  count: number,
  length: number,
  same: Same,
): number[] | undefined {
  const order: number[] = [];
  for (let to = 0; to < count; to++) {
    const own = sameRange(expected, found, to * length, to * length, length, same);
    let from = own ? to : 0;
    while (from < count && !sameRange(expected, found, from * length, to * length, length, same)) from++;
    if (from === count || order.includes(from)) return undefined;
    order.push(from);
  }
  return order;
}
