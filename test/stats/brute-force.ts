/** All 2ⁿ sign patterns one by one, as the definition has it; sums within 1e-9·Σ|d| are ties. */
export function countExtremePatterns(diffs: readonly number[]): number {
  const slack = 1e-9 * diffs.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const observed = Math.abs(diffs.reduce((sum, difference) => sum + difference, 0));
  let extreme = 0;
  for (let pattern = 0; pattern < 2 ** diffs.length; pattern++) {
    const sum = diffs.reduce(
      (partial, difference, i) => partial + ((pattern >> i) & 1 ? -difference : difference),
      0,
    );
    if (Math.abs(sum) >= observed - slack) extreme++;
  }
  return extreme;
}
