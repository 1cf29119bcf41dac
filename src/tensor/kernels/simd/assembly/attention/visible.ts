import { CAUSAL, KEYS, MASK, value } from "./plan";

// The pairs that are hidden in the head at work: see `look`.
let mask: usize = 0;
let maskRow: i32 = 0;
let maskColumn: i32 = 0;
let causal: bool = false;

/** Turns to the flags of a head of a sequence. */
export function look(plan: usize, b: i32, h: i32): void {
  mask = value(plan, MASK);
  maskRow = value(plan, MASK + 3);
  maskColumn = value(plan, MASK + 4);
  causal = value(plan, CAUSAL) != 0;
  if (mask) mask += b * value(plan, MASK + 1) + h * value(plan, MASK + 2);
}

/** Whether some pair may be hidden. */
// @ts-ignore: decorator
@inline
export function someHidden(): bool {
  return causal || mask != 0;
}

/** How many keys, from the first, some query before `end` may look at by order of time. */
// @ts-ignore: decorator
@inline
export function keysBefore(plan: usize, end: i32): i32 {
  const keys = value(plan, KEYS);
  return causal ? min(keys, end) : keys;
}

// @ts-ignore: decorator
@inline
function isHidden(query: i32, key: i32): bool {
  if (causal && key > query) return true;
  return mask != 0 && load<u8>(mask + query * maskRow + key * maskColumn) != 0;
}

/** Sets the scores of keys hidden from a query by their flags, among the first `keys`, to `instead`. */
export function hideRow(query: i32, row: usize, keys: i32, instead: f32): void {
  if (!mask) return;
  const flags = mask + query * maskRow;
  if (maskColumn == 0) {
    if (load<u8>(flags)) for (let j = 0; j < keys; j++) store<f32>(row + (<usize>j << 2), instead);
    return;
  }
  let j = 0;
  if (maskColumn == 1) {
    for (; j + 8 <= keys; j += 8) {
      if (!load<u64>(flags + j)) continue;
      for (let i = j; i < j + 8; i++) if (load<u8>(flags + i)) store<f32>(row + (<usize>i << 2), instead);
    }
  }
  for (; j < keys; j++) if (load<u8>(flags + j * maskColumn)) store<f32>(row + (<usize>j << 2), instead);
}

/** Whether all numbers of a matrix are finite. */
export function allFinite(rows: i32, columns: i32, at: usize, ld: i32): bool {
  let sum = f32x4.splat(0);
  let rest: f32 = 0;
  for (let i = 0; i < rows; i++) {
    let x = at + (<usize>(i * ld) << 2);
    const end = x + (<usize>columns << 2);
    for (; x + 16 <= end; x += 16) sum = f32x4.add(sum, f32x4.mul(v128.load(x), f32x4.splat(0)));
    for (; x < end; x += 4) rest += load<f32>(x) * 0;
  }
  // 0·x is 0 for finite x and NaN otherwise.
  return rest == rest && !v128.any_true(f32x4.ne(sum, sum));
}

/** The sum over keys or queries is cut into blocks of this many terms, as in every product. */
const TERMS = 256;

/**
 * C `[m, n]` = W·X over k keys, hidden pairs left out, whatever their values. W is a block of weights of
 * the queries from `first` on.
 */
export function visibleSum(
  m: i32, n: i32, k: i32, first: i32, w: usize, ldw: i32, x: usize, ldx: i32, c: usize, ldc: i32,
): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let total: f32 = 0;
      for (let from = 0; from < k; from += TERMS) {
        let sum: f32 = 0;
        for (let p = from; p < min(from + TERMS, k); p++) {
          if (isHidden(first + i, p)) continue;
          sum += load<f32>(w + (<usize>(i * ldw + p) << 2)) * load<f32>(x + (<usize>(p * ldx + j) << 2));
        }
        total += sum;
      }
      store<f32>(c + (<usize>(i * ldc + j) << 2), total);
    }
  }
}

/**
 * C `[m, n]` = or += Wᵀ·X over the k queries (at most one block of terms) from `first` on, hidden pairs
 * left out.
 */
export function addVisible(
  m: i32, n: i32, k: i32, first: i32, w: usize, ldw: i32, x: usize, ldx: i32, c: usize, ldc: i32, add: bool,
): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum: f32 = 0;
      for (let p = 0; p < k; p++) {
        if (isHidden(first + p, i)) continue;
        sum += load<f32>(w + (<usize>(p * ldw + i) << 2)) * load<f32>(x + (<usize>(p * ldx + j) << 2));
      }
      const at = c + (<usize>(i * ldc + j) << 2);
      store<f32>(at, add ? load<f32>(at) + sum : sum);
    }
  }
}
