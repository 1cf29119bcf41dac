import { ownColumns, ownRows, row, rows, tapeColumns, tapePivots, wideBytes } from "./problem";

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

/** {@link row} += scale · the row at `from`. */
// @ts-ignore: decorator
@inline
export function addToRow(scale: f32, from: usize): void {
  const scales = f32x4.splat(scale);
  for (let c = 0; c < wideBytes; c += 16) {
    v128.store(row + c, f32x4.add(v128.load(row + c), f32x4.mul(scales, v128.load(from + c))));
  }
}

/**
 * {@link row} += Σ_s x_s M_s over the `count` exact pivots collected, in order: x_s lies `at` bytes into their column, and M_s is
 * what stands for them. Three vectors at a time, as {@link combine}.
 */
// @ts-ignore: decorator
@inline
export function combineOwn(at: usize, count: i32): void {
  const wide = <usize>wideBytes;
  const end = ownColumns + (<usize>count << 2);
  let c: usize = 0;
  for (; c + 32 < wide; c += 48) {
    let sum0 = v128.load(row + c);
    let sum1 = v128.load(row + c, 16);
    let sum2 = v128.load(row + c, 32);
    let from = ownRows + c;
    for (let column = ownColumns; column < end; column += 4, from += wide) {
      const x = v128.load32_splat(<usize>load<u32>(column) + at);
      sum0 = f32x4.add(sum0, f32x4.mul(x, v128.load(from)));
      sum1 = f32x4.add(sum1, f32x4.mul(x, v128.load(from, 16)));
      sum2 = f32x4.add(sum2, f32x4.mul(x, v128.load(from, 32)));
    }
    v128.store(row + c, sum0);
    v128.store(row + c, sum1, 16);
    v128.store(row + c, sum2, 32);
  }
  for (; c < wide; c += 16) {
    let sum = v128.load(row + c);
    let from = ownRows + c;
    for (let column = ownColumns; column < end; column += 4, from += wide) {
      const x = v128.load32_splat(<usize>load<u32>(column) + at);
      sum = f32x4.add(sum, f32x4.mul(x, v128.load(from)));
    }
    v128.store(row + c, sum);
  }
}

/** The column of the pivot that is this row. */
export function columnOf(rank: i32, pivot: i32): usize {
  let t = 0;
  while (t < rank - 1 && load<i32>(tapePivots + (<usize>t << 2)) != pivot) t++;
  return tapeColumns + (<usize>t * <usize>rows << 2);
}
