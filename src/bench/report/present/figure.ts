import { fail } from "../../../errors/index.js";
import { valueAt } from "../path.js";
import { shown, signed } from "../sentences.js";
import type { ReportView } from "./report-view.js";

/** How a figure is written: as it is, with its sign, or as a percentage with its sign or without. */
export type FigureStyle = "plain" | "signed" | "percent" | "signed percent";

/** A number of a report with the place that it comes from. */
export interface Figure {
  readonly value: number;
  /** Its path in the report, or for a computed one in the judgement of the report. */
  readonly path: string;
  readonly origin: "reported" | "computed";
  readonly style: FigureStyle;
  /** What it should be, where it does not hold. */
  readonly fault?: string;
}

/** A figure that the bench report prints; `path` is its place there. */
export function reported(view: ReportView, path: string, style: FigureStyle = "plain"): Figure {
  return figureAt(view, `${view.prefix}${path}`, style);
}

/** A figure of the whole document, by its full path. Throws `E_INTERNAL` where there is no number. */
export function figureAt(view: ReportView, path: string, style: FigureStyle = "plain"): Figure {
  const value = valueAt(view.report, path);
  const fault = view.faults.get(path);
  return {
    value: numeric(value, path),
    path,
    origin: "reported",
    style,
    ...(fault && {
      fault: fault.implied === undefined ? "not what follows" : `should be ${String(fault.implied)}`,
    }),
  };
}

/** A figure that follows from the report's values and that the report itself may not have. */
export function computed(view: ReportView, path: string, style: FigureStyle = "plain"): Figure {
  const value = valueAt(view.verification.judgement, path);
  return { value: numeric(value, path), path, origin: "computed", style };
}

/** A figure of the statistics: as printed by version 2, for version 1 computed. */
export function statistic(view: ReportView, path: string, style: FigureStyle = "plain"): Figure {
  const place = `statistics.${path}`;
  return view.bench.bench_version === 2 ? reported(view, place, style) : computed(view, place, style);
}

/** The two ends of an interval of the statistics; undefined where there is none. */
export function intervalOf(
  view: ReportView,
  name: "sign_flip_interval" | "t_interval" | "bca_interval",
): readonly [low: Figure, high: Figure] | undefined {
  const statistics =
    view.bench.bench_version === 2 ? view.bench.statistics : view.verification.judgement.statistics;
  if (statistics[name] === null) return undefined;
  return [statistic(view, `${name}[0]`, "signed"), statistic(view, `${name}[1]`, "signed")];
}

/** A figure as a person reads it. */
export function figureText({ value, style }: Figure): string {
  if (style === "plain") return shown(value);
  if (style === "signed") return signed(value);
  const tiny = value !== 0 && Math.abs(value) < 1e-3;
  const rounded = tiny ? value.toExponential(2) : String(Number(value.toPrecision(3)));
  return `${style === "signed percent" && value > 0 ? "+" : ""}${rounded} %`;
}

function numeric(value: unknown, path: string): number {
  if (typeof value === "number") return value;
  return fail("E_INTERNAL", `expected a number at ${path} of the report, found ${typeof value}`);
}
