import { detectableEffect, mean, sampleStd, smallestSignFlipP } from "../../stats/index.js";
import type { EvaluatedPart } from "../cells/spec.js";
import { plannedCell, type Plan } from "../run/plan.js";
import type { PlannedWork, ReadableStore } from "./planned-work.js";

/** The power at which an effect counts as one that the plan can find. */
const POWER = 0.8;

/** What a plan can find. */
export interface SmallestEffect {
  readonly pairs: number;
  readonly alpha: number;
  readonly power: number;
  /** The smallest two-sided p that the exact sign-flip test can give. */
  readonly smallestP: number;
  /** The mean difference in units of the standard deviation of the differences; undefined for a single pair. */
  readonly dz: number | undefined;
  /** The same in the metric's unit, where stored pairs tell that standard deviation. */
  readonly inUnits?: {
    readonly difference: number;
    /** Percent of the baseline's mean over these pairs. */
    readonly percent: number;
    readonly storedPairs: number;
    /** The part that the stored pairs were scored on: the final pairs, or those that tuned. */
    readonly scoredOn: EvaluatedPart;
  };
}

/** The smallest effect that a plan finds four times in five, in standard deviations and where it can be told in units. */
export function smallestEffect(plan: Plan, work: PlannedWork, store: ReadableStore): SmallestEffect {
  const { alpha, seeds } = plan.protocol;
  const pairs = seeds.length;
  const dz = pairs > 1 ? detectableEffect({ n: pairs, alpha, power: POWER }) : undefined;
  const told = dz === undefined ? undefined : storedPairs(plan, work, store);
  return {
    pairs,
    alpha,
    power: POWER,
    smallestP: smallestSignFlipP(pairs),
    dz,
    ...(told && {
      inUnits: {
        difference: dz! * told.spread,
        percent: (100 * dz! * told.spread) / Math.abs(told.baselineMean),
        storedPairs: told.pairs,
        scoredOn: told.scoredOn,
      },
    }),
  };
}

interface StoredPairs {
  readonly pairs: number;
  readonly spread: number;
  readonly baselineMean: number;
  readonly scoredOn: EvaluatedPart;
}

/** Pairs of stored cells at both arms' best configurations: the final ones, or else those of the sweep. */
function storedPairs(plan: Plan, { best }: PlannedWork, store: ReadableStore): StoredPairs | undefined {
  const [baseline, idea] = (["baseline", "idea"] as const).map((name) => ({
    arm: plan.arms.find((arm) => arm.name === name)!,
    cfg: best.get(name),
  }));
  const places: readonly (readonly [readonly number[], EvaluatedPart])[] = [
    [plan.protocol.seeds, "test"],
    [idea.arm.sweepSeeds, plan.protocol.selection],
  ];
  for (const [seeds, scoredOn] of places) {
    const found = seeds.flatMap((seed) => {
      const [one, other] = [baseline, idea].map(({ arm, cfg }) =>
        cfg === undefined ? undefined : store.read(plannedCell(plan, arm, cfg, seed, scoredOn)),
      );
      const [a, b] = [one?.result.metric ?? NaN, other?.result.metric ?? NaN];
      return Number.isFinite(b - a) ? [{ baseline: a, difference: b - a }] : [];
    });
    const spread = found.length < 2 ? 0 : sampleStd(found.map(({ difference }) => difference));
    if (spread > 0) {
      return {
        pairs: found.length,
        spread,
        baselineMean: mean(found.map((pair) => pair.baseline)),
        scoredOn,
      };
    }
  }
  return undefined;
}
