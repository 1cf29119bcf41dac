import { pivotLaws } from "../../ideas/residual-pivoted/settings.js";
import { tracks } from "../tracks/index.js";
import {
  rivals,
  type AttentionQualityFigures,
  type AttentionQualityPoint,
  type ByMethod,
} from "./cells/attention-quality.js";
import type { StudyCell, StudyPlot, StudyPresentation, StudyTable } from "./study.js";

type Cell = StudyCell<AttentionQualityPoint, AttentionQualityFigures>;

const methods = [...pivotLaws, ...rivals];

/** The cells of one track and way of training, and the means over their seeds by rank. */
interface Group {
  readonly track: string;
  readonly trained: AttentionQualityPoint["trained"];
  readonly ranks: readonly number[];
  mean(rank: number, of: (figures: AttentionQualityFigures) => number): number;
}

/** What the cells of attention-quality say. */
export function presentAttentionQuality(cells: readonly Cell[]): StudyPresentation {
  const groups = groupsOf(cells);
  return {
    tables: groups.flatMap((group) => [traceTable(group), errorTable(group), scoreTable(group)]),
    plots: groups.flatMap((group) => [
      plotOf(
        group,
        "trace",
        "What pivots leave of the trace",
        "tr R_r / tr K",
        ({ traceLeft }) => traceLeft,
        ["optimal", ...pivotLaws],
      ),
      plotOf(
        group,
        "error",
        "Error of the output",
        "‖ô − o‖ / ‖o‖",
        ({ outputError }) => outputError,
        methods,
      ),
      plotOf(group, "score", "Score of the model", metricOf(group), ({ scores }) => scores, methods),
    ]),
    findings: groups.flatMap(findingsOf),
  };
}

function groupsOf(cells: readonly Cell[]): readonly Group[] {
  const names = [...new Set(cells.map(({ point }) => `${point.track} ${point.trained}`))];
  return names.map((name) => {
    const own = cells.filter(({ point }) => `${point.track} ${point.trained}` === name);
    const { track, trained } = own[0]!.point;
    return {
      track,
      trained,
      ranks: [...new Set(own.map(({ point }) => point.rank))].sort((a, b) => a - b),
      mean(rank, of) {
        const at = own.filter(({ point }) => point.rank === rank);
        return at.reduce((sum, { figures }) => sum + of(figures), 0) / at.length;
      },
    };
  });
}

const metricOf = ({ track }: Group): string => tracks.get(track)?.metric ?? "score";

const modelsOf = ({ track, trained }: Group): string =>
  trained === "exact"
    ? `models trained on ${track} with exact attention`
    : `models trained on ${track} through exp pivots of the same rank`;

function tableOf(
  group: Group,
  title: string,
  names: readonly string[],
  of: (figures: AttentionQualityFigures) => ByMethod,
): StudyTable {
  return {
    title: `${title}: ${modelsOf(group)}, mean over seeds`,
    columns: ["rank", ...names],
    rows: group.ranks.map((rank) => [
      rank,
      ...names.map((name) => group.mean(rank, (figures) => of(figures)[name]!)),
    ]),
  };
}

const traceTable = (group: Group): StudyTable =>
  tableOf(group, "tr R_r / tr K", ["optimal", ...pivotLaws], ({ traceLeft }) => traceLeft);

const errorTable = (group: Group): StudyTable =>
  tableOf(group, "Relative error of the output", methods, ({ outputError }) => outputError);

const scoreTable = (group: Group): StudyTable =>
  tableOf(
    group,
    `${metricOf(group)} with each approximation`,
    ["as trained", ...methods],
    ({ score, scores }) => ({
      "as trained": score,
      ...scores,
    }),
  );

function plotOf(
  group: Group,
  quantity: string,
  title: string,
  axis: string,
  of: (figures: AttentionQualityFigures) => ByMethod,
  names: readonly string[],
): StudyPlot {
  return {
    id: `${quantity}-${group.track}-${group.trained}`,
    title: `${title}: ${modelsOf(group)}`,
    description: `${axis} over the rank, which is logarithmic, a line for each of ${names.join(", ")}. The values are in a table.`,
    x: { title: "rank", logarithmic: true },
    y: { title: axis },
    series: names.map((name) => ({
      name,
      points: group.ranks.map((rank) => [rank, group.mean(rank, (figures) => of(figures)[name]!)] as const),
    })),
  };
}

function findingsOf(group: Group): readonly string[] {
  const short = (value: number): string => value.toPrecision(3);
  const lower = tracks.get(group.track)?.direction !== "higher";
  const worse = (a: number, b: number): boolean => (lower ? a > b : a < b);
  const found: string[] = [];
  for (const rank of group.ranks) {
    const error = (name: string): number => group.mean(rank, ({ outputError }) => outputError[name]!);
    const ahead = methods.filter((name) => name !== "exp" && error(name) < error("exp"));
    if (ahead.length > 0) {
      found.push(
        `${group.track}, ${modelsOf(group)}, rank ${rank}: the output error of exp pivots is ${short(error("exp"))}; smaller is that of ` +
          `${ahead.map((name) => `${name} (${short(error(name))})`).join(", ")}.`,
      );
    }
  }
  const score = (rank: number, name?: string): number =>
    group.mean(rank, (figures) => (name === undefined ? figures.score : figures.scores[name]!));
  if (group.trained === "exact") {
    const lost = group.ranks.filter((rank) => worse(score(rank, "exp"), score(rank)));
    if (lost.length > 0) {
      found.push(
        `${group.track}: put into models that were trained exactly, exp pivots change the ${metricOf(group)} from ${short(score(lost[0]!))} to ` +
          `${lost.map((rank) => `${short(score(rank, "exp"))} at rank ${rank}`).join(", ")}.`,
      );
    }
  } else {
    found.push(
      `${group.track}: trained through exp pivots the ${metricOf(group)} is ` +
        `${group.ranks.map((rank) => `${short(score(rank))} at rank ${rank}`).join(", ")}.`,
    );
  }
  const trace = (rank: number, name: string): number => group.mean(rank, ({ traceLeft }) => traceLeft[name]!);
  const first = group.ranks[0]!;
  found.push(
    `${group.track}, ${modelsOf(group)}: at rank ${first} exp pivots leave ${short(trace(first, "exp"))} of the trace, uniform ones ` +
      `${short(trace(first, "uniform"))}, greedy ones ${short(trace(first, "greedy"))}, the best factor of this rank ` +
      `${short(trace(first, "optimal"))}.`,
  );
  return found;
}
