import type { Signature } from "../../ideas/index.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import type { CellCost, CellOutcome, StoredWeights } from "../cells/result.js";
import type { CellSpec, EvaluateSpec, MeasureSpec, TrainSpec } from "../cells/spec.js";
import { runTold, type Executor, type Task, type TaskHooks } from "../executors/index.js";
import type { CellRecord, UnmeasuredModel } from "../record.js";
import { memoryStore, type CellStore } from "../store/index.js";
import { asReadBack } from "./as-read-back.js";
import type { Plan, PlannedCell } from "./plan.js";
import type { RunningCell } from "./progress.js";
import { stepsPerEpoch, type ProgressTracker } from "./progress-tracker.js";
import { Survival, type Unfinished } from "./unfinished.js";
import type { Free } from "./work-through.js";

/** A training cell: what the report keeps of it, and its parameters. */
export interface TrainedCell {
  readonly record: CellRecord;
  readonly spec: TrainSpec;
  /** Empty where the cell did not end. */
  readonly weights: StoredWeights;
}

/** What came of measuring a mechanism. */
export type MeasuredModel = { readonly seed: number; readonly signature: Signature } | UnmeasuredModel;

/** A cell that did not end, and the seconds that it had. */
type GivenUp = Unfinished & { readonly seconds: number };

/**
 * Takes cells from the store, or computes and stores them, and keeps the tracker told. A cell that is computed frees its place
 * before it is stored, so that no worker waits for the disk.
 */
export class CellRunner {
  /** Holds the cells of an idea that is known to this process only: its code has no hash, so it is not stored. */
  readonly #unstored = memoryStore();
  readonly #survival = new Survival();

  constructor(
    private readonly plan: Plan,
    private readonly executor: Executor,
    private readonly store: CellStore,
    private readonly tracker: ProgressTracker,
  ) {}

  async train(cell: PlannedCell, free: Free): Promise<TrainedCell> {
    const { key, spec } = cell;
    const { arm, cfg, seed, epochs } = spec;
    const running: RunningCell = { kind: "train", arm, cfg, seed, epoch: 0, epochs };
    const found = await this.#obtain(cell, free, running, (hooks) =>
      runTold(this.executor, { kind: "train", spec }, hooks),
    );
    if ("status" in found) {
      const { seconds, ...unfinished } = found;
      const record = { key, arm, cfg, seed, evaluated: spec.evaluate, ...unfinished, ...nothing, seconds };
      return { record, spec, weights: {} };
    }
    const { outcome, stored } = found;
    const { weights, status, metric, ...kept } = outcome.result;
    const record: CellRecord = {
      key,
      arm,
      cfg,
      seed,
      evaluated: spec.evaluate,
      status,
      metric,
      ...kept,
      seconds: outcome.seconds,
      ...costOf(outcome),
    };
    this.tracker.finished(key, { kind: "trained", cell: record, stored });
    return { record, spec, weights };
  }

  async measure(trained: TrainedCell, free: Free): Promise<MeasuredModel> {
    const spec: MeasureSpec = { kind: "measure", trained: trained.spec };
    const key = cellKey(spec, packageFingerprint());
    const { arm, cfg, seed } = trained.spec;
    const running: RunningCell = { kind: "measure", arm, cfg, seed, epoch: 0, epochs: 0 };
    const task: Task & { kind: "measure" } = { kind: "measure", spec, weights: trained.weights };
    const found = await this.#obtain({ key, spec }, free, running, (hooks) =>
      runTold(this.executor, task, hooks),
    );
    if ("status" in found) return { seed, status: found.status, reason: found.reason };
    const { outcome, stored } = found;
    this.tracker.finished(key, { kind: "measured", seed, stored });
    return { seed, signature: outcome.result };
  }

  /** Scores a model of the idea with a control in the idea's place. */
  async evaluate(trained: TrainedCell, control: string, free: Free): Promise<CellRecord> {
    const spec: EvaluateSpec = { kind: "evaluate", trained: trained.spec, control };
    const key = cellKey(spec, packageFingerprint());
    const { cfg, seed, evaluate: evaluated } = trained.spec;
    const arm = `control:${control}` as const;
    const running: RunningCell = { kind: "evaluate", arm, cfg, seed, epoch: 0, epochs: 0 };
    const task: Task & { kind: "evaluate" } = { kind: "evaluate", spec, weights: trained.weights };
    const found = await this.#obtain({ key, spec }, free, running, (hooks) =>
      runTold(this.executor, task, hooks),
    );
    if ("status" in found) {
      const { seconds, ...unfinished } = found;
      return { key, arm, cfg, seed, evaluated, ...unfinished, ...nothing, seconds };
    }
    const { outcome, stored } = found;
    const { seconds, result } = outcome;
    const cell: CellRecord = { key, arm, cfg, seed, evaluated, ...result, curve: [], steps: 0, seconds };
    this.tracker.finished(key, { kind: "evaluated", cell, stored });
    return cell;
  }

  async #obtain<Spec extends CellSpec>(
    cell: PlannedCell<Spec>,
    free: Free,
    running: RunningCell,
    compute: (hooks: TaskHooks) => Promise<CellOutcome<Spec>>,
  ): Promise<{ readonly outcome: CellOutcome<Spec>; readonly stored: boolean } | GivenUp> {
    const store = this.#storeOf(cell.spec);
    const found = store.read(cell);
    if (found !== undefined) {
      this.#survival.ended();
      return { outcome: found, stored: true };
    }
    const computed = await this.#attempt(cell, running, compute);
    if ("status" in computed) return computed;
    free();
    return { outcome: store.write(cell, asReadBack(computed)), stored: false };
  }

  async #attempt<Outcome extends CellOutcome>(
    { key, spec }: PlannedCell<CellSpec>,
    running: RunningCell,
    compute: (hooks: TaskHooks) => Promise<Outcome>,
  ): Promise<Outcome | GivenUp> {
    let begun = 0;
    const onBegin = (): void => {
      begun = performance.now();
      this.tracker.started(key, running);
    };
    const stepsAnEpoch = spec.kind === "train" ? stepsPerEpoch(spec) : 0;
    try {
      const outcome = await compute({
        onBegin,
        onEpoch: ({ epoch, loss }) => this.tracker.epoch(key, epoch, loss, stepsAnEpoch),
        onRetry: (reason) => this.tracker.retried(key, reason),
        onWaiting: (reason) => this.tracker.waiting(reason),
      });
      this.#survival.ended();
      return outcome;
    } catch (error) {
      const unfinished = this.#survival.survive(error);
      this.tracker.unfinished(key, unfinished);
      return { ...unfinished, seconds: (performance.now() - begun) / 1000 };
    }
  }

  #storeOf(spec: CellSpec): CellStore {
    const ownCode = spec.kind === "train" && spec.idea === null;
    return ownCode || this.plan.registered ? this.store : this.#unstored;
  }
}

/** What a cell that did not end leaves: it is not known how large its model is. */
const nothing = { metric: NaN, curve: [], parameters: NaN, steps: 0 } as const;

function costOf({ flops, memory }: CellCost): CellCost {
  return { ...(flops === undefined ? {} : { flops }), ...(memory === undefined ? {} : { memory }) };
}
