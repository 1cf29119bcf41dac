// src/tensor/math/half-pi-reduction.ts for one number beyond 2^20, after M. H. Payne and R. N. Hanek (1983).

/** 2/π·2^192, truncated, the least significant part first; and 64 zero bits. */
const TWO_OVER_PI = memory.data<u64>([0xdb6295993c439041, 0xfc2757d1f534ddc0, 0xa2f9836e4e441529, 0]);
const ROUNDER: f64 = 6755399441055744;

/** The 28 bits of 2/π from bit `at` up. */
// @ts-ignore: decorator
@inline
function bitsFrom(at: i32): f64 {
  return <f64>(<i32>(load<u64>(TWO_OVER_PI + (at >> 3)) >> (at & 7)) & 0xfffffff);
}

/** r for a finite |x| > 2^20, as float64. */
export function largeRest(x: f32): f64 {
  const fraction = largeFraction(x);
  const r = (fraction - (fraction + ROUNDER - ROUNDER)) * 1.5707963267948966;
  return x < 0 ? -r : r;
}

/** q for a finite |x| > 2^20: the whole quarter turns modulo 4. */
export function largeQuarter(x: f32): i32 {
  const first = leading(x);
  const turns = first + ROUNDER - ROUNDER;
  const fraction = largeFraction(x);
  const carry = fraction + ROUNDER - ROUNDER;
  const whole = <i32>(turns - 4 * Math.floor(turns / 4) + carry);
  return (x < 0 ? -whole : whole) & 3;
}

/** Where the window of 84 bits of 2/π for x begins. */
// @ts-ignore: decorator
@inline
function windowOf(x: f32): i32 {
  return 260 - ((reinterpret<i32>(x) >> 23) & 0xff);
}

// @ts-ignore: decorator
@inline
function mantissaOf(x: f32): f64 {
  return <f64>((reinterpret<i32>(x) & 0x7fffff) | 0x800000);
}

// @ts-ignore: decorator
@inline
function leading(x: f32): f64 {
  return mantissaOf(x) * (bitsFrom(windowOf(x) + 56) * 1.4901161193847656e-8);
}

/** What the quarter turns have beyond the leading whole number. */
// @ts-ignore: decorator
@inline
function largeFraction(x: f32): f64 {
  const m = mantissaOf(x);
  const at = windowOf(x);
  const first = leading(x);
  const turns = first + ROUNDER - ROUNDER;
  const second = bitsFrom(at + 28) * 5.551115123125783e-17;
  return first - turns + m * second + m * (bitsFrom(at) * 2.0679515313825692e-25);
}
