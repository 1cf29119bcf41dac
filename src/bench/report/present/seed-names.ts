import type { BenchReport } from "../document-v2.js";

/** The name of the seed of each pair; version 1 may leave them out, which means 0, 1, 2, … */
export function seedNames({ baseline, protocol }: BenchReport): string[] {
  return baseline.full.per_seed.map((_, at) => String(protocol?.seeds?.[at] ?? at));
}
