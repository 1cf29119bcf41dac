/** 0 for equal bits (any NaN equals any NaN, −0 is not 0), otherwise a positive number: the difference where there is one. */
export function bitDistance(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const difference = Math.abs(a - b);
  if (Number.isNaN(difference)) return Infinity;
  return difference === 0 ? Number.MIN_VALUE : difference;
}
