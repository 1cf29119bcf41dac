import { armOf, compressionArms, type CompressionArmName } from "./cells/compression-arms.js";
import type { HiddenCompressionFigures, HiddenCompressionPoint } from "./cells/hidden-compression.js";
import type { StudyCell, StudyPlot, StudyPresentation, StudyTable } from "./study.js";

type Cell = StudyCell<HiddenCompressionPoint, HiddenCompressionFigures>;
type FigureName = keyof HiddenCompressionFigures;

/** The cells of an arm at a rank. */
interface Group {
  readonly arm: CompressionArmName;
  readonly rank: number;
  readonly cells: readonly Cell[];
}

/** What the cells of hidden-compression say. */
export function presentHiddenCompression(cells: readonly Cell[]): StudyPresentation {
  const groups = groupsOf(cells);
  return {
    tables: [qualityTable(groups), gradientTable(groups)],
    plots: [
      plotOf(groups, "error", "Test error", "mean squared error", true),
      plotOf(groups, "mass", "Drift of mass over 200 frames", "drift of mass", true),
      plotOf(groups, "energy", "Drift of energy over 200 frames", "drift of energy", true),
      plotOf(groups, "greatestGradient", "Greatest gradient of the trained model", "norm", true),
    ],
    findings: findingsOf(groups),
  };
}

function groupsOf(cells: readonly Cell[]): readonly Group[] {
  return (Object.keys(compressionArms) as CompressionArmName[]).flatMap((arm) => {
    const own = cells.filter(({ point }) => point.arm === arm);
    const ranks = [...new Set(own.map(({ point }) => point.rank))].sort((a, b) => a - b);
    return ranks.map((rank) => ({ arm, rank, cells: own.filter(({ point }) => point.rank === rank) }));
  });
}

/** The values of a figure over the seeds, those that there are. */
function valuesOf({ cells }: Group, name: FigureName): readonly number[] {
  return cells.map(({ figures }) => figures[name]).filter((value) => value !== null);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean over the seeds, or – where the figure says nothing of the arm. */
function meanText(group: Group, name: FigureName, scale = 1): number | string {
  const values = valuesOf(group, name);
  return values.length === 0 ? "–" : scale * mean(values);
}

const nameOf = ({ arm, rank }: Group): string =>
  arm === "baseline" ? armOf(arm).title : `${armOf(arm).title}, r = ${rank}`;

function qualityTable(groups: readonly Group[]): StudyTable {
  return {
    title: "Error, drift over 200 frames and cost: means over the seeds",
    columns: [
      ...["state", "numbers", "error", "least", "greatest"],
      ...["mass", "momentum 1", "momentum 2", "energy", "flops a series", "ms a step"],
    ],
    rows: groups.map((group) => {
      const errors = valuesOf(group, "error");
      return [
        nameOf(group),
        meanText(group, "numbers"),
        meanText(group, "error"),
        errors.length === 0 ? "–" : Math.min(...errors),
        errors.length === 0 ? "–" : Math.max(...errors),
        ...(["mass", "momentum1", "momentum2", "energy", "flops"] as const).map((name) =>
          meanText(group, name),
        ),
        meanText(group, "seconds", 1000),
      ];
    }),
  };
}

function gradientTable(groups: readonly Group[]): StudyTable {
  return {
    title:
      "States and gradients of the trained models: ‖C(h) − h‖/‖h‖, norms of the gradient, gaps (s_r − s_(r+1))/s_r and the share of them up to 1/8",
    columns: ["state", "change", "gradient, median", "greatest", "gap, median", "gaps up to 1/8"],
    rows: groups.map((group) => [
      nameOf(group),
      meanText(group, "change"),
      meanText(group, "gradient"),
      valuesOf(group, "greatestGradient").length === 0
        ? "–"
        : Math.max(...valuesOf(group, "greatestGradient")),
      meanText(group, "gap"),
      meanText(group, "smallGaps"),
    ]),
  };
}

/** A figure over the numbers that a state takes, a line for each arm. */
function plotOf(
  groups: readonly Group[],
  name: FigureName,
  title: string,
  unit: string,
  logarithmic: boolean,
): StudyPlot {
  const arms = [...new Set(groups.map(({ arm }) => arm))];
  return {
    id: name.toLowerCase(),
    title: `${title}, over the numbers that a state takes`,
    description: `${title} over the numbers that describe a compressed state, a line for each kind of compression, its ranks from left to right. The values are in the tables.`,
    x: { title: "numbers" },
    y: { title: unit, logarithmic },
    series: arms
      .map((arm) => ({
        name: armOf(arm).title,
        points: groups
          .filter((group) => group.arm === arm && valuesOf(group, name).length > 0)
          .map((group): readonly [number, number] => [
            mean(valuesOf(group, "numbers")),
            mean(valuesOf(group, name)),
          ]),
      }))
      .filter(({ points }) => points.length > 0),
  };
}

/** Of an arm's groups the one with the least mean of a figure. */
function best(groups: readonly Group[], name: FigureName): Group | undefined {
  return groups
    .filter((group) => valuesOf(group, name).length > 0)
    .reduce<Group | undefined>(
      (least, group) => (least && mean(valuesOf(least, name)) <= mean(valuesOf(group, name)) ? least : group),
      undefined,
    );
}

const digits = (value: number): string => value.toPrecision(3);

/** The mean, and the range over the seeds. */
function spread(group: Group, name: FigureName): string {
  const values = valuesOf(group, name);
  return `${digits(mean(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`;
}

function findingsOf(groups: readonly Group[]): readonly string[] {
  const of = (...arms: readonly CompressionArmName[]): readonly Group[] =>
    groups.filter(({ arm }) => arms.includes(arm));
  const [baseline] = of("baseline");
  const seeds = new Set(groups.flatMap(({ cells }) => cells.map(({ point }) => point.seed))).size;
  return [
    ...againstSmaller(groups),
    ...(["error", "mass", "energy"] as const).flatMap((name) => {
      const what = name === "error" ? "the test error" : `the drift of ${name} over 200 frames`;
      const compressed = groups.filter(({ arm }) => arm !== "baseline" && arm !== "smaller-gru");
      const least = best(compressed, name);
      if (!baseline || !least || valuesOf(baseline, name).length === 0) return [];
      const better = mean(valuesOf(least, name)) < mean(valuesOf(baseline, name));
      const named = `${nameOf(least)}, ${spread(least, name)}`;
      return [
        better
          ? `Of all compressions ${named} has the least of ${what}; the GRU without compression has ${spread(baseline, name)}.`
          : `No compression has less of ${what} than the GRU without one, ${spread(baseline, name)}; the least is that of ${named}.`,
      ];
    }),
    ...momentFindings(of("form-B"), of("truncation")),
    ...gapFindings(groups),
    ...timeFindings(groups, baseline),
    `${seeds === 1 ? "One seed" : `${seeds} seeds`} and one learning rate for all, 0.01, which suits the baseline best: no arm was tuned, and differences of the size of the ranges are none.`,
  ];
}

/** Each smaller GRU against the compressions of as many numbers or fewer. */
function againstSmaller(groups: readonly Group[]): readonly string[] {
  return groups
    .filter(({ arm }) => arm === "smaller-gru")
    .flatMap((small) => {
      const numbers = mean(valuesOf(small, "numbers"));
      const rivals = groups.filter(
        (group) => armOf(group.arm).truncates && mean(valuesOf(group, "numbers")) <= numbers,
      );
      const least = best(rivals, "error");
      if (!least || valuesOf(small, "error").length === 0) return [];
      const better = mean(valuesOf(least, "error")) < mean(valuesOf(small, "error"));
      return [
        `With ${numbers} numbers or fewer ${better ? "the best truncation beats" : "no truncation beats"} a GRU of ${numbers} units, error ${spread(small, "error")}: ${nameOf(least)} has ${spread(least, "error")} with ${mean(valuesOf(least, "numbers"))}.`,
      ];
    });
}

/** What the moments add to the truncation at the same rank. */
function momentFindings(kept: readonly Group[], plain: readonly Group[]): readonly string[] {
  const pairs = kept.flatMap((group) => {
    const other = plain.find(({ rank }) => rank === group.rank);
    if (!other || valuesOf(other, "mass").length === 0 || valuesOf(group, "mass").length === 0) return [];
    return [{ rank: group.rank, group, other }];
  });
  if (pairs.length === 0) return [];
  const lower = (name: FigureName): readonly number[] =>
    pairs
      .filter(({ group, other }) => mean(valuesOf(group, name)) < mean(valuesOf(other, name)))
      .map(({ rank }) => rank);
  const ranks = (found: readonly number[]): string => (found.length === 0 ? "no rank" : found.join(", "));
  return [
    `Form B has less error than T_r alone at ${ranks(lower("error"))} of the ranks ${pairs.map(({ rank }) => rank).join(", ")}, and less drift of mass at ${ranks(lower("mass"))}, of energy at ${ranks(lower("energy"))}.`,
  ];
}

function gapFindings(groups: readonly Group[]): readonly string[] {
  const found = groups.filter((group) => valuesOf(group, "smallGaps").length > 0);
  if (found.length === 0) return [];
  const shares = found.map((group) => mean(valuesOf(group, "smallGaps")));
  const most = found[shares.indexOf(Math.max(...shares))]!;
  return [
    `Gaps of up to 1/8, where the bound of 8 clips the gradient, are ${digits(100 * Math.min(...shares))} to ${digits(100 * Math.max(...shares))} % of the cuts of trained states, most of them for ${nameOf(most)}.`,
  ];
}

function timeFindings(groups: readonly Group[], baseline: Group | undefined): readonly string[] {
  const plain = baseline && valuesOf(baseline, "seconds")[0];
  if (!plain) return [];
  const ratios = groups
    .filter((group) => group.arm !== "baseline" && valuesOf(group, "seconds").length > 0)
    .map((group) => ({ group, ratio: valuesOf(group, "seconds")[0]! / plain }))
    .sort((a, b) => b.ratio - a.ratio);
  const [slowest] = ratios;
  const fastest = ratios.filter(({ group }) => armOf(group.arm).truncates).at(-1);
  if (!slowest || !fastest) return [];
  return [
    `A training step takes ${digits(fastest.ratio)} to ${digits(slowest.ratio)} times that of the GRU without compression (${digits(1000 * plain)} ms), the most with ${nameOf(slowest.group)}, of the truncations the least with ${nameOf(fastest.group)}.`,
  ];
}
