import type { AttentionCostFigures, AttentionCostPoint } from "./cells/attention-cost.js";
import { crossing, fittedExponent, type CurvePoint } from "./power-law.js";
import type { StudyCell, StudyPlot, StudyPresentation, StudySeries, StudyTable } from "./study.js";

type Cell = StudyCell<AttentionCostPoint, AttentionCostFigures>;
type Quantity = "milliseconds" | "mebibytes";
type Exact = "naive" | "fused";

const MIB = 2 ** 20;

/** From so many bytes on a peak is that of the attention: compiled code and the like are 2 to 3 MiB beside it. */
const visible = 8 * MIB;

const passNames = { forward: "forward", both: "forward and backward" } as const;

const quantities: Readonly<Record<Quantity, (figures: AttentionCostFigures) => number>> = {
  milliseconds: ({ seconds }) => 1000 * seconds,
  mebibytes: ({ peak, before }) => Math.max(0, peak - before) / MIB,
};

/** One line of the measurements: everything but n. */
interface Curve extends Pick<AttentionCostPoint, "method" | "pass" | "width" | "rank"> {
  readonly cells: readonly Cell[];
}

/** What the measurements of attention-cost say. */
export function presentAttentionCost(cells: readonly Cell[]): StudyPresentation {
  const curves = curvesOf(cells);
  const crossings = crossingRows(curves);
  return {
    tables: [crossingTable(crossings), slopeTable(curves), costTable(curves)],
    plots: settings(curves).flatMap(({ pass, width }) =>
      (["milliseconds", "mebibytes"] as const).map((quantity) => plotOf(curves, pass, width, quantity)),
    ),
    findings: [...crossingFindings(crossings), ...slopeFindings(curves)],
  };
}

function curvesOf(cells: readonly Cell[]): readonly Curve[] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const { method, pass, width, rank } = cell.point;
    const name = [method, pass, width, rank].join(" ");
    groups.set(name, [...(groups.get(name) ?? []), cell]);
  }
  return [...groups.values()].map((group) => {
    const { method, pass, width, rank } = group[0]!.point;
    return { method, pass, width, rank, cells: group.sort((a, b) => a.point.n - b.point.n) };
  });
}

function settings(curves: readonly Curve[]): readonly Pick<Curve, "pass" | "width">[] {
  const names = new Map(curves.map(({ pass, width }) => [`${pass} ${width}`, { pass, width }]));
  return [...names.values()];
}

function pointsOf({ cells }: Curve, quantity: Quantity): readonly CurvePoint[] {
  return cells.map(({ point, figures }) => [point.n, quantities[quantity](figures)]);
}

const nameOf = ({ method, rank }: Pick<Curve, "method" | "rank">): string =>
  method === "pivoted" ? `rank ${rank}` : `exact, ${method}`;

/** Where attention through pivots becomes cheaper, and where the operation counts of both say so. */
interface CrossingRow {
  readonly curve: Curve;
  readonly exact: Exact;
  readonly predicted: number;
  readonly measured: ReturnType<typeof crossing>;
  /** The longest n that both were measured at, and exact time by pivoted time there. */
  readonly longest: number;
  readonly faster: number;
}

/** 2r + r²/(2d) */
const predictedLength = ({ rank, width }: Pick<Curve, "rank" | "width">): number =>
  2 * rank + rank ** 2 / (2 * width);

function crossingRows(curves: readonly Curve[]): readonly CrossingRow[] {
  return curves
    .filter(({ method }) => method === "pivoted")
    .flatMap((curve) =>
      (["naive", "fused"] as const).flatMap((exact): CrossingRow[] => {
        const rival = curves.find(
          ({ method, pass, width }) => method === exact && pass === curve.pass && width === curve.width,
        );
        if (!rival) return [];
        const [own, other] = [pointsOf(curve, "milliseconds"), pointsOf(rival, "milliseconds")];
        const common = own.filter(([n]) => other.some(([at]) => at === n));
        const last = common.at(-1);
        if (!last) return [];
        const faster = other.find(([at]) => at === last[0])![1] / last[1];
        const measured = crossing(own, other);
        return [{ curve, exact, predicted: predictedLength(curve), measured, longest: last[0], faster }];
      }),
    );
}

function crossingText({ curve, measured, longest }: CrossingRow): string {
  if (measured === "before the first") return `below ${curve.cells[0]!.point.n}`;
  if (measured === "not up to the last") return `above ${longest}`;
  return String(Math.round(measured.at));
}

function crossingTable(rows: readonly CrossingRow[]): StudyTable {
  return {
    title: "From which n on pivots are faster: measured, and predicted by n > 2r + r²/(2d)",
    columns: [
      "against",
      "pass",
      "width d",
      "rank r",
      "predicted n",
      "measured n",
      "longest n",
      "faster there, times",
    ],
    rows: rows.map((row) => {
      const { pass, width, rank } = row.curve;
      return [
        `exact, ${row.exact}`,
        passNames[pass],
        width,
        rank,
        row.predicted,
        crossingText(row),
        row.longest,
        row.faster,
      ];
    }),
  };
}

/** The exponent of n in a quantity: of time over the three longest n, of memory where the attention can be seen. */
function exponentOf(curve: Curve, quantity: Quantity): number {
  const points = pointsOf(curve, quantity);
  return quantity === "mebibytes"
    ? fittedExponent(points.filter(([, mebibytes]) => mebibytes * MIB >= visible))
    : fittedExponent(points.slice(-3));
}

function slopeTable(curves: readonly Curve[]): StudyTable {
  return {
    title:
      "Growth with n: the exponent a of c·nᵃ, of peak memory from 8 MiB on and of time over the three longest n",
    columns: [
      "method",
      "pass",
      "width d",
      "memory exponent",
      "time exponent",
      "longest n",
      "MiB there",
      "ms there",
    ],
    rows: curves.map((curve) => {
      const { pass, width, cells } = curve;
      const { point, figures } = cells.at(-1)!;
      return [
        nameOf(curve),
        passNames[pass],
        width,
        exponentText(exponentOf(curve, "mebibytes")),
        exponentText(exponentOf(curve, "milliseconds")),
        point.n,
        quantities.mebibytes(figures),
        quantities.milliseconds(figures),
      ];
    }),
  };
}

const exponentText = (exponent: number): string => (Number.isNaN(exponent) ? "too few" : exponent.toFixed(2));

function costTable(curves: readonly Curve[]): StudyTable {
  return {
    title: "Every measurement: milliseconds of one pass, and MiB above the inputs at its peak",
    columns: ["method", "pass", "width d", "n", "ms", "first ms", "MiB"],
    rows: curves.flatMap((curve) =>
      curve.cells.map(({ point, figures }) => [
        nameOf(curve),
        passNames[point.pass],
        point.width,
        point.n,
        quantities.milliseconds(figures),
        1000 * figures.first,
        quantities.mebibytes(figures),
      ]),
    ),
  };
}

function plotOf(curves: readonly Curve[], pass: Curve["pass"], width: number, quantity: Quantity): StudyPlot {
  const own = curves.filter((curve) => curve.pass === pass && curve.width === width);
  const series = own.map((curve): StudySeries => ({
    name: nameOf(curve),
    points: pointsOf(curve, quantity).filter(([, y]) => quantity === "milliseconds" || y > 0),
  }));
  const what = quantity === "milliseconds" ? "Time" : "Peak memory above the inputs";
  return {
    id: `${quantity}-${pass}-${width}`,
    title: `${what} of one head ${width} wide, ${passNames[pass]}`,
    description: `${what} in ${quantity} over n, both logarithmic, a line for exact attention with and without the n × n matrix and one for each rank. The values are in the table of every measurement.`,
    x: { title: "n", logarithmic: true },
    y: { title: quantity, logarithmic: true },
    series: series.filter(({ points }) => points.length > 0),
  };
}

function crossingFindings(rows: readonly CrossingRow[]): readonly string[] {
  return settings(rows.map(({ curve }) => curve)).flatMap(({ pass, width }) =>
    (["fused", "naive"] as const).flatMap((exact) => {
      const own = rows.filter(
        (row) => row.exact === exact && row.curve.pass === pass && row.curve.width === width,
      );
      if (own.length === 0) return [];
      const never = own.filter(({ measured }) => measured === "not up to the last");
      const later = own.filter(
        ({ measured, predicted }) => typeof measured === "object" && measured.at > predicted,
      );
      const best = own.reduce((a, b) => (b.faster > a.faster ? b : a));
      const where = `${passNames[pass]}, width ${width}, against exact ${exact} attention`;
      return [
        ...(never.length > 0
          ? [`${where}: never faster up to n = ${never[0]!.longest} at ${ranksText(never)}.`]
          : []),
        ...(later.length > 0
          ? [
              `${where}: faster only from ${later.map((row) => `n = ${crossingText(row)} (predicted ${Math.round(row.predicted)}) at rank ${row.curve.rank}`).join(", ")}.`,
            ]
          : []),
        `${where}: at n = ${best.longest} rank ${best.curve.rank} is ${best.faster.toPrecision(3)} times as fast.`,
      ];
    }),
  );
}

const ranksText = (rows: readonly CrossingRow[]): string =>
  `rank ${rows.map(({ curve }) => curve.rank).join(", ")}`;

function slopeFindings(curves: readonly Curve[]): readonly string[] {
  const range = (own: readonly Curve[]): string | undefined => {
    const found = own.map((curve) => exponentOf(curve, "mebibytes")).filter(Number.isFinite);
    if (found.length === 0) return undefined;
    return `${Math.min(...found).toFixed(2)} to ${Math.max(...found).toFixed(2)}`;
  };
  const expected = { naive: "2", fused: "1", pivoted: "1" } as const;
  return (["naive", "fused", "pivoted"] as const).flatMap((method) =>
    (["forward", "both"] as const).flatMap((pass) => {
      const found = range(curves.filter((curve) => curve.method === method && curve.pass === pass));
      const named = method === "pivoted" ? "attention through pivots" : `exact ${method} attention`;
      return found === undefined
        ? []
        : [
            `Peak memory of ${named}, ${passNames[pass]}, grows as n to the power of ${found} over the widths and ranks measured (by its definition ${expected[method]}).`,
          ];
    }),
  );
}
