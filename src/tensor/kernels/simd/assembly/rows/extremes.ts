// The largest and the smallest element of a row, NaN left out.
import { loadPart } from "../reduction/fold";

/** max over lanes of the one vector, min over lanes of the other, as lanes 0 and 1. */
// @ts-ignore: decorator
@inline
function joined(most: v128, least: v128): v128 {
  const most2 = f32x4.pmax(most, i32x4.shuffle(most, most, 2, 3, 2, 3));
  const most1 = f32x4.pmax(most2, i32x4.shuffle(most2, most2, 1, 1, 1, 1));
  const least2 = f32x4.pmin(least, i32x4.shuffle(least, least, 2, 3, 2, 3));
  const least1 = f32x4.pmin(least2, i32x4.shuffle(least2, least2, 1, 1, 1, 1));
  return i32x4.shuffle(most1, least1, 0, 4, 0, 4);
}

/** Lane 0 the largest, lane 1 the smallest of n elements; −∞ and ∞ when all are NaN. A zero may be of either sign. */
// @ts-ignore: decorator
@inline
export function extremes(x: usize, n: i32): v128 {
  let most = f32x4.splat(-Infinity);
  let least = f32x4.splat(Infinity);
  let otherMost = most;
  let otherLeast = least;
  for (const end = x + (<usize>(n & ~7) << 2); x < end; x += 32) {
    const a = v128.load(x);
    const b = v128.load(x, 16);
    most = f32x4.pmax(most, a);
    least = f32x4.pmin(least, a);
    otherMost = f32x4.pmax(otherMost, b);
    otherLeast = f32x4.pmin(otherLeast, b);
  }
  if (n & 4) {
    const a = v128.load(x);
    most = f32x4.pmax(most, a);
    least = f32x4.pmin(least, a);
    x += 16;
  }
  if (n & 3) {
    const a = loadPart(x, n & 3, f32x4.splat(NaN));
    most = f32x4.pmax(most, a);
    least = f32x4.pmin(least, a);
  }
  return joined(f32x4.pmax(most, otherMost), f32x4.pmin(least, otherLeast));
}
