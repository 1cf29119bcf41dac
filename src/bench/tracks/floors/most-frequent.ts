/** The place of the largest count; the first of equal ones. */
export function mostFrequent(counts: Int32Array): number {
  return counts.reduce((best, count, at) => (count > counts[best] ? at : best), 0);
}
