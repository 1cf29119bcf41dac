/** Floating-point operations of one step of a GRU for one series: both products, and some 14 for each unit in the gates. */
export function gruFlops(inputs: number, hidden: number): number {
  return hidden * (6 * (inputs + hidden) + 14);
}
