/** Stores the first `n` lanes, 1 ≤ n ≤ 3. */
// @ts-ignore: decorator
@inline
export function storeSome(address: usize, value: v128, n: usize): void {
  v128.store32_lane(address, value, 0);
  if (n > 1) v128.store32_lane(address, value, 1, 4);
  if (n > 2) v128.store32_lane(address, value, 2, 8);
}
