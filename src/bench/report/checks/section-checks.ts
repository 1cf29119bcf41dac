import type { BenchReportV2, Report } from "../document-v2.js";
import { costRatios } from "../figures/cost.js";
import { armFigures, isBetter } from "../figures/arm-figures.js";
import { meanOfEnded } from "../figures/unfinished.js";
import { directionOf, type Judgement } from "../judge.js";
import { childPath, valueAt } from "../path.js";
import { valuesChecks } from "./arm-checks.js";
import { figureCheck, type Clue } from "./check.js";
import { judgedControlChecks, measuredControlChecks } from "./control-checks.js";
import { derivedChecks } from "./derived-checks.js";

/** The sections that version 2 adds, each figure from the measured values. */
export function sectionChecks(report: Report, prefix: string, judgement: Judgement): Clue[] {
  const { statistics, tuning, sequential, floors, verdicts } = judgement;
  return [
    ...derivedChecks(report, `${prefix}statistics`, statistics),
    ...derivedChecks(report, `${prefix}tuning`, tuning),
    ...sequentialChecks(report, prefix, sequential),
    ...derivedChecks(report, `${prefix}verdicts.seed_v1`, verdicts.seed),
    ...derivedChecks(report, `${prefix}verdicts.strict`, verdicts.strict),
    figureCheck(report, `${prefix}informative`, floors?.informative ?? false),
    ...(judgement.controls ? judgedControlChecks(report, prefix, judgement.controls) : []),
  ];
}

/** A sequential section without an interval is one of before there was any. */
function sequentialChecks(report: Report, prefix: string, sequential: Judgement["sequential"]): Clue[] {
  const path = `${prefix}sequential`;
  if (!sequential && valueAt(report, path) === undefined) return [];
  const { interval, ...rest } = sequential ?? {};
  const known = valueAt(report, `${path}.interval`) === undefined ? rest : { ...rest, interval };
  return derivedChecks(report, path, known);
}

/** The figures of version 2 that need no test statistics. */
export function measuredChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  return [
    ...floorChecks(report, bench, prefix),
    ...mechanismSectionChecks(report, bench, prefix),
    ...derivedChecks(report, `${prefix}cost`, costRatios(bench)),
    ...measuredControlChecks(report, bench, prefix),
  ];
}

function floorChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  const direction = directionOf(bench);
  const baseline = meanOfEnded(bench);
  return bench.floors.flatMap((floor, at) => {
    const path = childPath(`${prefix}floors`, at);
    return [
      ...valuesChecks(report, path, floor.per_seed),
      figureCheck(report, `${path}.seeds`, bench.protocol.seeds, { note: "the final seeds" }),
      figureCheck(report, `${path}.beaten`, isBetter(baseline, armFigures(floor.per_seed).mean, direction)),
    ];
  });
}

function mechanismSectionChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  const checks = bench.math_checks.map(({ observed, bound }, at) =>
    figureCheck(report, `${childPath(`${prefix}math_checks`, at)}.passed`, observed <= bound, {
      note: "observed is at most the bound",
    }),
  );
  const perSeed = bench.mechanism.map(({ claims }, at) =>
    figureCheck(
      report,
      `${childPath(`${prefix}mechanism`, at)}.confirmed`,
      claims.length > 0 && claims.every(({ held, control }) => held && control.refuted),
      {
        note: "every claim held and every control was refuted",
        suspects: claims.flatMap(({ held, control }, claim) => {
          const own = childPath(`${childPath(`${prefix}mechanism`, at)}.claims`, claim);
          return [
            { path: `${own}.held`, implied: !held },
            { path: `${own}.control.refuted`, implied: !control.refuted },
          ];
        }),
      },
    ),
  );
  return [
    ...checks,
    ...perSeed,
    ...measuredSeedChecks(bench, prefix),
    figureCheck(
      report,
      `${prefix}math_verification.passed`,
      bench.math_checks.every(({ passed }) => passed),
    ),
  ];
}

/** Each trained model that was measured is one of the final seeds, and none is there twice. */
function measuredSeedChecks({ mechanism, protocol }: BenchReportV2, prefix: string): Clue[] {
  return mechanism.flatMap(({ seed }, at): Clue[] => {
    const first = mechanism.findIndex((other) => other.seed === seed);
    if (first === at && protocol.seeds.includes(seed)) return [];
    const path = childPath(`${prefix}mechanism`, at);
    return [
      {
        kind: "figure",
        path: first === at ? `${path}.seed` : `${prefix}mechanism`,
        reported: seed,
        recomputed: first === at ? "one of the final seeds" : "another seed",
        relativeError: undefined,
        holds: false,
        note: first === at ? "no final seed" : `models ${first} and ${at} have the same seed`,
        implied: undefined,
        suspects: [],
      },
    ];
  });
}
