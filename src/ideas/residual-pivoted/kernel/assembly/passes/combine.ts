import { row, rows, wideBytes } from "./problem";

/**
 * {@link row} = Σ_t F_it M_t over the pivots in order, for the row of F that begins at `first` and M `[rank, channels + 1]`.
 * Three vectors at a time: those of eight channels and their 1.
 */
// @ts-ignore: decorator
@inline
export function combine(first: usize, rank: i32, matrix: usize): void {
  const down = <usize>rows << 2;
  const wide = <usize>wideBytes;
  const end = matrix + <usize>rank * wide;
  let c: usize = 0;
  for (; c + 32 < wide; c += 48) {
    let sum0 = f32x4.splat(0);
    let sum1 = sum0;
    let sum2 = sum0;
    let f = first;
    for (let from = matrix + c; from < end; from += wide, f += down) {
      const x = v128.load32_splat(f);
      sum0 = f32x4.add(sum0, f32x4.mul(x, v128.load(from)));
      sum1 = f32x4.add(sum1, f32x4.mul(x, v128.load(from, 16)));
      sum2 = f32x4.add(sum2, f32x4.mul(x, v128.load(from, 32)));
    }
    v128.store(row + c, sum0);
    v128.store(row + c, sum1, 16);
    v128.store(row + c, sum2, 32);
  }
  for (; c < wide; c += 16) {
    let sum = f32x4.splat(0);
    let f = first;
    for (let from = matrix + c; from < end; from += wide, f += down) {
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(f), v128.load(from)));
    }
    v128.store(row + c, sum);
  }
}
