import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import type { CellOutcome } from "../cells/result.js";
import type { Arm, MeasureSpec, TrainSpec } from "../cells/spec.js";
import type { Config } from "../record.js";
import {
  configsOf,
  finalCells,
  plannedCell,
  sweepCells,
  type Plan,
  type PlannedArm,
  type PlannedCell,
} from "../run/plan.js";
import { bestRow, sweepRows } from "../run/selection.js";
import type { CellStore } from "../store/index.js";
import { decidingArms, sweepHistory, type SweepConfigs } from "../tuning/index.js";

/** Cells of one kind in one arm. */
export interface WorkShare {
  /** `training` where the final models themselves rank the configurations. */
  readonly phase: "tuning" | "final" | "training" | "mechanism";
  readonly arm: Arm;
  readonly cells: number;
  /** Those of them that are stored already. */
  readonly stored: number;
  /** Mean wall time of the stored ones in seconds; undefined when none is stored. */
  readonly storedSeconds: number | undefined;
}

/** What a plan asks for, and how much of it is stored. */
export interface PlannedWork {
  readonly shares: readonly WorkShare[];
  /** Tuning cells that come on top at most, when a best rate lies at an end of the grid. */
  readonly mostExtensionCells: number;
  /** The best configuration of each arm, as far as its sweep is stored. */
  readonly best: ReadonlyMap<Arm, Config>;
}

/** A store that is read only. */
export type ReadableStore = Pick<CellStore, "read">;

/**
 * Counts the cells of a plan. As far as the sweep is stored it is followed as the run would: its extensions are counted,
 * and the final cells are looked up under the configuration that was chosen.
 */
export function plannedWork(plan: Plan, store: ReadableStore): PlannedWork {
  const { protocol, arms } = plan;
  const onTest = protocol.selection === "test";
  const { sweep, extensions } = storedSweep(plan, store);
  const best = new Map(
    arms.flatMap((arm): [Arm, Config][] => {
      const cfg = bestStored(plan, arm, configsOf(arm, sweep), store);
      return cfg === undefined ? [] : [[arm.name, cfg]];
    }),
  );
  const tried = sweepCells(plan, sweep);
  const shares = arms.map((arm) =>
    share(
      onTest ? "training" : "tuning",
      arm.name,
      tried.filter(({ spec }) => spec.arm === arm.name),
      store,
    ),
  );
  const finals = arms.map((arm) => {
    const cfg = best.get(arm.name);
    return cfg === undefined ? undefined : finalCells(plan, arm, cfg);
  });
  if (!onTest) {
    arms.forEach(({ name }, at) =>
      shares.push(share("final", name, finals[at], store, protocol.seeds.length)),
    );
  }
  const ofIdea = finals[arms.findIndex(({ name }) => name === "idea")];
  shares.push(share("mechanism", "idea", ofIdea?.map(measured), store, protocol.seeds.length));
  const isTuned = decidingArms.every((name) => best.has(name));
  return { shares, mostExtensionCells: isTuned ? 0 : mostExtensionCells(plan, extensions), best };
}

/** The sweep with the extensions that follow from what is stored. */
function storedSweep(
  plan: Plan,
  store: ReadableStore,
): { readonly sweep: SweepConfigs; readonly extensions: number } {
  const { rates, gridOptions: options, mostExtensions } = plan.protocol;
  const { sweep, extensions } = sweepHistory({ rates, options }, mostExtensions, (name, tried) =>
    bestStored(
      plan,
      plan.arms.find((arm) => arm.name === name)!,
      tried,
      store,
    ),
  );
  return { sweep, extensions: extensions.length };
}

function bestStored(
  plan: Plan,
  arm: PlannedArm,
  tried: readonly Config[],
  store: ReadableStore,
): Config | undefined {
  const { selection } = plan.protocol;
  let missing = false;
  const rows = sweepRows(tried, arm.sweepSeeds, (cfg, seed) => {
    const found = missing ? undefined : store.read(plannedCell(plan, arm, cfg, seed, selection));
    missing ||= found === undefined;
    return found?.result.metric ?? NaN;
  });
  return missing ? undefined : bestRow(rows, arm.sweepSeeds, plan.track.direction).cfg;
}

/** Cells that are not known yet, because the configuration is not chosen, are counted as `expected` ones to compute. */
function share<Spec extends TrainSpec | MeasureSpec>(
  phase: WorkShare["phase"],
  arm: Arm,
  cells: readonly PlannedCell<Spec>[] | undefined,
  store: ReadableStore,
  expected = 0,
): WorkShare {
  const found = (cells ?? [])
    .map((cell) => store.read(cell) as CellOutcome | undefined)
    .filter((outcome) => outcome !== undefined);
  const seconds = found.reduce((sum, outcome) => sum + outcome.seconds, 0);
  return {
    phase,
    arm,
    cells: cells?.length ?? expected,
    stored: found.length,
    storedSeconds: found.length > 0 ? seconds / found.length : undefined,
  };
}

function measured({ spec }: PlannedCell): PlannedCell<MeasureSpec> {
  const measure: MeasureSpec = { kind: "measure", trained: spec };
  return { key: cellKey(measure, packageFingerprint()), spec: measure };
}

/** Two further rates, one at each end, an extension. */
function mostExtensionCells({ protocol, arms }: Plan, made: number): number {
  const { gridOptions, mostExtensions } = protocol;
  const combinations = Object.values(gridOptions).reduce((count, values) => count * values.length, 1);
  const seeds = arms.reduce((count, { sweepSeeds }) => count + sweepSeeds.length, 0);
  return 2 * (mostExtensions - made) * combinations * seeds;
}
