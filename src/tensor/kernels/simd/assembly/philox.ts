// Philox4x32-10, four blocks at a time: each lane has one word of one block.

/** The upper words of four products: of those of the first two lanes, and of the last two. */
// @ts-ignore: decorator
@inline
function upper(first: v128, last: v128): v128 {
  return v128.shuffle<i32>(first, last, 1, 3, 5, 7);
}

/** The lower words. */
// @ts-ignore: decorator
@inline
function lower(first: v128, last: v128): v128 {
  return v128.shuffle<i32>(first, last, 0, 2, 4, 6);
}

/**
 * The blocks of the counter c and of those after it into `out`, a multiple of four of them. The lowest word of the counter
 * must not overflow.
 */
export function philoxBlocks(
  c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32, out: usize, blocks: i32,
): void {
  const multiplier0 = i32x4.splat(0xd2511f53);
  const multiplier1 = i32x4.splat(0xcd9e8d57);
  let counters = i32x4.add(i32x4.splat(c0), i32x4(0, 1, 2, 3));
  for (const end = out + (<usize>blocks << 4); out < end; out += 64) {
    let w0 = counters;
    let w1 = i32x4.splat(c1);
    let w2 = i32x4.splat(c2);
    let w3 = i32x4.splat(c3);
    let key0 = k0;
    let key1 = k1;
    for (let round = 0; round < 10; round++) {
      const first0 = i64x2.extmul_low_i32x4_u(w0, multiplier0);
      const last0 = i64x2.extmul_high_i32x4_u(w0, multiplier0);
      const first1 = i64x2.extmul_low_i32x4_u(w2, multiplier1);
      const last1 = i64x2.extmul_high_i32x4_u(w2, multiplier1);
      w0 = v128.xor(v128.xor(upper(first1, last1), w1), i32x4.splat(key0));
      w1 = lower(first1, last1);
      w2 = v128.xor(v128.xor(upper(first0, last0), w3), i32x4.splat(key1));
      w3 = lower(first0, last0);
      key0 += 0x9e3779b9;
      key1 += 0xbb67ae85;
    }
    const first01 = v128.shuffle<i32>(w0, w1, 0, 4, 1, 5);
    const first23 = v128.shuffle<i32>(w2, w3, 0, 4, 1, 5);
    const last01 = v128.shuffle<i32>(w0, w1, 2, 6, 3, 7);
    const last23 = v128.shuffle<i32>(w2, w3, 2, 6, 3, 7);
    v128.store(out, v128.shuffle<i64>(first01, first23, 0, 2));
    v128.store(out, v128.shuffle<i64>(first01, first23, 1, 3), 16);
    v128.store(out, v128.shuffle<i64>(last01, last23, 0, 2), 32);
    v128.store(out, v128.shuffle<i64>(last01, last23, 1, 3), 48);
    counters = i32x4.add(counters, i32x4.splat(4));
  }
}
