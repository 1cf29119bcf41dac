import type { Arm, CellSpec, EvaluatedPart, IdeaReference, TrainSpec } from "../cells/spec.js";
import type { Idea, IdeaOptions } from "../../ideas/index.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import type { ModelDefinition } from "../models/index.js";
import { idOf } from "../plugins/registry.js";
import type { Preset } from "../presets.js";
import type { Config, ControlDescription, Protocol } from "../record.js";
import type { Track } from "../tracks/index.js";
import type { SweepConfigs } from "../tuning/index.js";
import type { SequentialPlan } from "../sequential/index.js";
import type { Sizes } from "./sizes.js";

/** What is asked for; everything but the idea has a default. */
export interface PlanRequest {
  /** A built-in idea by name, or an idea of one's own: one that `loadPlugins` gave can be stored and run in threads. */
  readonly idea: string | Idea;
  /** A preset by name; `standard` when absent. */
  readonly preset?: string;
  /** A number of final seeds, counted from 0, or the seeds themselves. */
  readonly seeds?: number | readonly number[];
  /** A number of seeds that only tune, or the seeds themselves; the preset's when absent. */
  readonly tuningSeeds?: number | readonly number[];
  /** Adds final seeds, counted from 0, under this plan, in the place of `seeds`. */
  readonly sequential?: SequentialPlan;
  /** A track by name, or one from a file of one's own; the idea's own when absent. */
  readonly track?: string | Track;
  /** A model by name, or one from a file of one's own; the idea's own when absent. */
  readonly model?: string | ModelDefinition;
  /** Sizes instead of the preset's. */
  readonly sizes?: Partial<Sizes>;
  /** Learning rates (`lr`) instead of the preset's, and values of the idea's own options that its arm tries as well. */
  readonly grid?: Readonly<Record<string, readonly number[]>>;
  /** Comparisons made together, of which this is one: Holm's p must be able to reach alpha. 1 when absent. */
  readonly comparisons?: number;
  /** Options of the idea; strings are read as the type of the option's default. */
  readonly options?: IdeaOptions;
  /** The idea's controls that are tried as well, by name, or all of them; none when absent. */
  readonly controls?: "all" | readonly string[];
}

/** A training cell of a plan with its key in the store. */
export interface PlannedCell<Spec extends CellSpec = TrainSpec> {
  readonly key: string;
  readonly spec: Spec;
}

/** One arm of a plan. */
export interface PlannedArm {
  readonly name: Arm;
  /** The change, with the options that the grid does not span; null for the baseline. */
  readonly idea: IdeaReference | null;
  /** The seeds whose mean ranks its configurations. */
  readonly sweepSeeds: readonly number[];
}

/** Everything that a run will do. */
export interface Plan {
  readonly idea: Idea;
  readonly options: IdeaOptions;
  /** True for an idea that workers can find, built in or from a file; another one runs in this thread and is not stored. */
  readonly registered: boolean;
  readonly track: Track;
  readonly model: ModelDefinition;
  readonly preset: Preset;
  readonly protocol: Protocol;
  /** The baseline, the idea, and any controls; every arm is tuned and trained in the same way. */
  readonly arms: readonly PlannedArm[];
  /** The controls that were asked for, of every kind, in the order of the idea. */
  readonly controls: readonly ControlDescription[];
  /** What is tried before any extension. */
  readonly sweep: SweepConfigs;
}

/** The configurations that an arm tries. */
export function configsOf({ idea }: PlannedArm, sweep: SweepConfigs): readonly Config[] {
  return idea === null ? sweep.baseline : sweep.changed;
}

/** One training cell of an arm: a tuning cell when it is evaluated on the validation part, else a final one. */
export function plannedCell(
  { track, model, protocol }: Plan,
  { name, idea }: PlannedArm,
  cfg: Config,
  seed: number,
  evaluate: EvaluatedPart,
): PlannedCell {
  const spec: TrainSpec = {
    kind: "train",
    track: idOf(track),
    model: idOf(model),
    arm: name,
    cfg,
    seed,
    trainSize: protocol.trainSize,
    validationSize: evaluate === "validation" ? protocol.validationSize : 0,
    testSize: evaluate === "test" ? protocol.testSize : 0,
    evaluate,
    epochs: protocol.epochs,
    batchSize: protocol.batchSize,
    optimizer: protocol.optimizer,
    idea: idea && { ...idea, options: optionsWith(idea.options, cfg) },
  };
  return { key: cellKey(spec, packageFingerprint()), spec };
}

/** An idea's options with the values that a configuration gives some of them. */
export function optionsWith(options: IdeaOptions, cfg: Config): IdeaOptions {
  const own = Object.entries(cfg).filter(([name]) => Object.hasOwn(options, name));
  return { ...options, ...Object.fromEntries(own) };
}

/** The sweep of every arm: configuration by configuration, seed by seed, the arms in their order. */
export function sweepCells(plan: Plan, sweep: SweepConfigs): readonly PlannedCell[] {
  const places = Math.max(sweep.baseline.length, sweep.changed.length);
  return Array.from({ length: places }, (_, place) => place).flatMap((place) => {
    const seeds = [...new Set(plan.arms.flatMap(({ sweepSeeds }) => sweepSeeds))];
    return seeds.flatMap((seed) =>
      plan.arms
        .filter((arm) => arm.sweepSeeds.includes(seed) && place < configsOf(arm, sweep).length)
        .map((arm) => plannedCell(plan, arm, configsOf(arm, sweep)[place], seed, plan.protocol.selection)),
    );
  });
}

/** The cells of an arm's best configuration on the final seeds, or on some of them. */
export function finalCells(
  plan: Plan,
  arm: PlannedArm,
  best: Config,
  seeds: readonly number[] = plan.protocol.seeds,
): readonly PlannedCell[] {
  return seeds.map((seed) => plannedCell(plan, arm, best, seed, "test"));
}
