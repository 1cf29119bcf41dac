import { benchOf, benchPrefix, type Report } from "../document-v2.js";
import { pairFigures } from "../figures/pair-figures.js";
import type { Recomputation } from "../figures/recomputation.js";
import { directionOf } from "../judge.js";
import { childPath } from "../path.js";
import { figureCheck, type Clue, type Suspect } from "./check.js";

/** The paired figures from the values of both arms, and the numbers of seeds. */
export function pairChecks(report: Report, costly: Recomputation | undefined): Clue[] {
  const bench = benchOf(report);
  const prefix = benchPrefix(report);
  const at = `${prefix}comparison`;
  const baseline = bench.baseline.full.per_seed;
  const idea = bench.idea.per_seed;
  const pairs = pairFigures(baseline, idea, directionOf(bench));
  /** Of the values that are finite: a diverged cell must not make every difference doubtful. */
  const scale = Math.max(0, ...[...baseline, ...idea].filter(Number.isFinite).map(Math.abs));
  const opposite = otherDirection(report);
  return [
    figureCheck(report, `${prefix}n_seeds`, pairs.n_pairs),
    figureCheck(report, `${at}.n_pairs`, pairs.n_pairs),
    ...seedsChecks(report),
    ...pairs.per_seed_diffs.map((difference, seed) =>
      figureCheck(report, childPath(`${at}.per_seed_diffs`, seed), difference, {
        scale,
        suspects: valuesBehind(report, seed),
      }),
    ),
    figureCheck(report, `${at}.delta_mean`, pairs.delta_mean, { scale, note: "mean of idea − baseline" }),
    figureCheck(report, `${at}.idea_wins`, pairs.idea_wins, { suspects: [opposite] }),
    figureCheck(report, `${at}.mde`, pairs.mde, {
      note: "half-width of the 95 % interval of the difference",
    }),
    figureCheck(report, `${at}.mde_rel_pct`, pairs.mde_rel_pct),
    ...(costly
      ? [
          figureCheck(report, `${at}.p_value`, costly.reportP(pairs.per_seed_diffs), {
            note: "20000 sign flips drawn as the reports draw them",
          }),
        ]
      : []),
  ];
}

/** The other direction of the metric, for checks that depend on it. */
export function otherDirection(report: Report): Suspect {
  const implied = directionOf(benchOf(report)) === "lower" ? "higher is better" : "lower is better";
  return { path: `${benchPrefix(report)}metric_direction`, implied };
}

/** The two values of a difference, each as the other and the printed difference imply it. */
function valuesBehind(report: Report, seed: number): Suspect[] {
  const bench = benchOf(report);
  const prefix = benchPrefix(report);
  const difference = bench.comparison.per_seed_diffs[seed];
  const baseline = bench.baseline.full.per_seed[seed];
  const idea = bench.idea.per_seed[seed];
  return [
    { path: childPath(`${prefix}baseline.full.per_seed`, seed), implied: idea - difference },
    { path: childPath(`${prefix}idea.per_seed`, seed), implied: baseline + difference },
  ];
}

/** As many seeds as pairs, none twice. */
function seedsChecks(report: Report): Clue[] {
  const bench = benchOf(report);
  const seeds = bench.protocol?.seeds;
  if (!seeds) return [];
  const path = `${benchPrefix(report)}protocol.seeds`;
  const pairs = bench.baseline.full.per_seed.length;
  const length: Clue = {
    kind: "figure",
    path: `${path}.length`,
    reported: seeds.length,
    recomputed: pairs,
    relativeError: undefined,
    holds: seeds.length === pairs,
    implied: undefined,
    suspects: [],
  };
  const repeated = seeds.flatMap((seed, at): Clue[] => {
    const first = seeds.findIndex((other) => String(other) === String(seed));
    if (first === at) return [];
    return [
      {
        kind: "figure",
        path: childPath(path, at),
        reported: seed,
        recomputed: "another seed",
        relativeError: undefined,
        holds: false,
        note: `the same seed as ${childPath(path, first)}`,
        implied: undefined,
        suspects: [at, first].map((either) => ({
          path: childPath(path, either),
          implied: unusedSeed(seeds),
          unknown: true,
        })),
      },
    ];
  });
  return [length, ...repeated];
}

function unusedSeed(seeds: readonly (number | string)[]): string {
  return String(
    seeds.reduce((largest: bigint, seed) => (BigInt(seed) > largest ? BigInt(seed) : largest), 0n) + 1n,
  );
}
