// P(H) = Σ_k ⟨E_k, H⟩ E_k of four matrices at a time. E `[count, 64]` is the same for all; sums begin at 0
// and go through the entries, and through k, in order.
import { MATRIX } from "./matrices";

/** Bytes of one E_k. */
const ELEMENT: usize = 256;

/** The moments of the matrices at `h`, `count` vectors. */
export function analyse(h: usize, basis: usize, count: i32, moments: usize): void {
  let k = 0;
  for (; k + 4 <= count; k += 4) {
    let m0 = f32x4.splat(0);
    let m1 = m0;
    let m2 = m0;
    let m3 = m0;
    for (let i: usize = 0; i < 64; i++) {
      const entry = v128.load(h + (i << 4));
      const e = basis + (i << 2);
      m0 = f32x4.add(m0, f32x4.mul(entry, v128.load32_splat(e)));
      m1 = f32x4.add(m1, f32x4.mul(entry, v128.load32_splat(e, 256)));
      m2 = f32x4.add(m2, f32x4.mul(entry, v128.load32_splat(e, 512)));
      m3 = f32x4.add(m3, f32x4.mul(entry, v128.load32_splat(e, 768)));
    }
    v128.store(moments, m0);
    v128.store(moments, m1, 16);
    v128.store(moments, m2, 32);
    v128.store(moments, m3, 48);
    moments += 64;
    basis += 4 * ELEMENT;
  }
  for (; k < count; k++) {
    let m = f32x4.splat(0);
    for (let i: usize = 0; i < 64; i++) {
      m = f32x4.add(m, f32x4.mul(v128.load(h + (i << 4)), v128.load32_splat(basis + (i << 2))));
    }
    v128.store(moments, m);
    moments += 16;
    basis += ELEMENT;
  }
}

/** Entry i of Σ_k m_k E_k. */
// @ts-ignore: decorator
@inline
function synthesised(moments: usize, basis: usize, count: i32, i: usize): v128 {
  let sum = f32x4.splat(0);
  let e = basis + (i << 2);
  for (const end = moments + (<usize>count << 4); moments < end; moments += 16) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(moments), v128.load32_splat(e)));
    e += ELEMENT;
  }
  return sum;
}

/** out = P(H); `moments` is room for `count` vectors. */
export function project(h: usize, basis: usize, count: i32, moments: usize, out: usize): void {
  analyse(h, basis, count, moments);
  for (let i: usize = 0; i < 64; i++) v128.store(out + (i << 4), synthesised(moments, basis, count, i));
}

/** out = H − P(H); may be `h` itself. */
export function remove(h: usize, basis: usize, count: i32, moments: usize, out: usize): void {
  analyse(h, basis, count, moments);
  for (let i: usize = 0; i < 64; i++) {
    const entry = v128.load(h + (i << 4));
    v128.store(out + (i << 4), f32x4.sub(entry, synthesised(moments, basis, count, i)));
  }
}

/** C ← C + P(H − C); `difference` is room for the matrices H − C. */
export function restore(
  c: usize,
  h: usize,
  basis: usize,
  count: i32,
  moments: usize,
  difference: usize,
): void {
  for (let i: usize = 0; i < MATRIX; i += 16) {
    v128.store(difference + i, f32x4.sub(v128.load(h + i), v128.load(c + i)));
  }
  analyse(difference, basis, count, moments);
  for (let i: usize = 0; i < 64; i++) {
    const entry = v128.load(c + (i << 4));
    v128.store(c + (i << 4), f32x4.add(entry, synthesised(moments, basis, count, i)));
  }
}
