// e^{x−max} of a row, with its sum.
import { exp4 } from "../math/exp4";
import { count4, expm1Rest4, rest4, rounded4 } from "../math/exp-reduction";
import { BLOCK, halves, loadPart, middleOf, storePart, SUM } from "../reduction/fold";

/** From here to 88 no exponential is so small or large that 2^n would not be a normal number. */
export const NEAR: f32 = -87;

const ONE_BITS = 0x3f800000;

/** Elements that {@link nearBlock} takes at a time, a multiple of 16, and room for as many powers of two. */
const CHUNK = 512;
const powers = memory.data(CHUNK * 4, 16);

/**
 * The first half of e^x for x from −87 to 88, or NaN: the rest goes to `out`, to `power` 2^n, which is a normal number here and
 * is put together from the bits of n.
 */
// @ts-ignore: decorator
@inline
function reduce(x: v128, out: usize, power: usize): void {
  const rounded = rounded4(x);
  v128.store(out, rest4(x, count4(rounded)));
  v128.store(power, i32x4.add(i32x4.shl(rounded, 23), i32x4.splat(ONE_BITS)));
}

/** The second half. */
// @ts-ignore: decorator
@inline
function restore(out: usize, power: usize): v128 {
  return f32x4.mul(f32x4.add(f32x4.splat(1), expm1Rest4(v128.load(out))), v128.load(power));
}

/** The sum of lanes a to d, with the n < 16 exponentials after them: they are computed here. */
// @ts-ignore: decorator
@inline
function finish(x: usize, n: i32, most: v128, out: usize, a: v128, b: v128, c: v128, d: v128): f32 {
  for (let done = 0; done < n; done += 4) {
    const left = n - done;
    let value = exp4(f32x4.sub(left < 4 ? loadPart(x, left, most) : v128.load(x), most));
    if (left < 4) {
      storePart(out, left, value);
      value = loadPart(out, left, f32x4.splat(0));
    } else v128.store(out, value);
    if (done == 0) a = f32x4.add(a, value);
    else if (done == 4) b = f32x4.add(b, value);
    else if (done == 8) c = f32x4.add(c, value);
    else d = f32x4.add(d, value);
    x += 16;
    out += 16;
  }
  return halves(SUM, f32x4.add(f32x4.add(a, c), f32x4.add(b, d)));
}

/**
 * out = e^{x−max} of at most 4096, none far, and their sum in the order of every sum. In two passes over each chunk: one long
 * chain an element fills the processor's queue before the next ones are seen, two short ones do not (measured: a fifth quicker).
 */
function nearBlock(x: usize, n: i32, max: f32, out: usize): f32 {
  const most = f32x4.splat(max);
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  const end = x + (<usize>(n & ~15) << 2);
  while (x < end) {
    const chunk = x + CHUNK * 4 < end ? x + CHUNK * 4 : end;
    let power = powers;
    let rest = out;
    for (; x < chunk; x += 32) {
      reduce(f32x4.sub(v128.load(x), most), rest, power);
      reduce(f32x4.sub(v128.load(x, 16), most), rest + 16, power + 16);
      rest += 32;
      power += 32;
    }
    for (power = powers; out < rest; out += 64) {
      const first = restore(out, power);
      const second = restore(out + 16, power + 16);
      const third = restore(out + 32, power + 32);
      const fourth = restore(out + 48, power + 48);
      v128.store(out, first);
      v128.store(out, second, 16);
      v128.store(out, third, 32);
      v128.store(out, fourth, 48);
      a = f32x4.add(a, first);
      b = f32x4.add(b, second);
      c = f32x4.add(c, third);
      d = f32x4.add(d, fourth);
      power += 64;
    }
  }
  return finish(x, n & 15, most, out, a, b, c, d);
}

/** The same for any exponents. */
function anyBlock(x: usize, n: i32, max: f32, out: usize): f32 {
  const most = f32x4.splat(max);
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (const end = x + (<usize>(n & ~15) << 2); x < end; x += 64) {
    const first = exp4(f32x4.sub(v128.load(x), most));
    const second = exp4(f32x4.sub(v128.load(x, 16), most));
    v128.store(out, first);
    v128.store(out, second, 16);
    a = f32x4.add(a, first);
    b = f32x4.add(b, second);
    const third = exp4(f32x4.sub(v128.load(x, 32), most));
    const fourth = exp4(f32x4.sub(v128.load(x, 48), most));
    v128.store(out, third, 32);
    v128.store(out, fourth, 48);
    c = f32x4.add(c, third);
    d = f32x4.add(d, fourth);
    out += 64;
  }
  return finish(x, n & 15, most, out, a, b, c, d);
}

/** out = e^{x−max} and the sum; `near` when no x − max lies outside −87 to 88. */
export function expRow(near: bool, x: usize, n: i32, max: f32, out: usize): f32 {
  if (n <= BLOCK) return near ? nearBlock(x, n, max, out) : anyBlock(x, n, max, out);
  const left = middleOf(n);
  const bytes = <usize>left << 2;
  return expRow(near, x, left, max, out) + expRow(near, x + bytes, n - left, max, out + bytes);
}
