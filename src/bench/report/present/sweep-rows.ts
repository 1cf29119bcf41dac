import type { ReportConfig, SweepFigures } from "../document.js";
import type { BenchReport } from "../document-v2.js";
import { canonicalText } from "../serialize.js";

/** A row of an arm's sweep and its place there. */
export interface PlacedRow {
  readonly row: SweepFigures;
  readonly at: number;
}

/** A configuration that was tried in one arm or in both. */
export interface SweepRow {
  readonly cfg: ReportConfig;
  /** `lr 0.003, rank 4`. */
  readonly name: string;
  /** A setting of it lies at an end of what was tried. */
  readonly end: boolean;
  readonly baseline: PlacedRow | undefined;
  readonly idea: PlacedRow | undefined;
}

/** Every configuration that either arm tried, by its numbers. */
export function sweepRows(bench: BenchReport): SweepRow[] {
  const arms = { baseline: bench.baseline.sweep, idea: bench.idea.sweep ?? [] };
  const all = new Map([...arms.baseline, ...arms.idea].map(({ cfg }) => [canonicalText(cfg), cfg] as const));
  const place = (arm: "baseline" | "idea", text: string): PlacedRow | undefined => {
    const at = arms[arm].findIndex(({ cfg }) => canonicalText(cfg) === text);
    return at < 0 ? undefined : { row: arms[arm][at]!, at };
  };
  return [...all]
    .sort(([, a], [, b]) => inOrder(a, b))
    .map(([text, cfg]) => ({
      cfg,
      name: configName(cfg),
      end: atAnEnd(cfg, [...all.values()]),
      baseline: place("baseline", text),
      idea: place("idea", text),
    }));
}

/** A configuration in a line: `lr 0.003, rank 4`. */
export function configName(cfg: ReportConfig): string {
  return Object.entries(cfg)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}

function inOrder(a: ReportConfig, b: ReportConfig): number {
  for (const [name, value] of Object.entries(a)) {
    const other = b[name];
    if (typeof value === "number" && typeof other === "number" && value !== other) return value - other;
  }
  return 0;
}

function atAnEnd(cfg: ReportConfig, all: readonly ReportConfig[]): boolean {
  return Object.entries(cfg).some(([name, value]) => {
    const tried = all.map((other) => other[name]).filter((other) => typeof other === "number");
    const several = new Set(tried).size > 1;
    return several && (value === Math.min(...tried) || value === Math.max(...tried));
  });
}
