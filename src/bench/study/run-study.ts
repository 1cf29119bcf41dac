import os from "node:os";
import { fail, GradstandError } from "../../errors/index.js";
import { builtInIdeas } from "../../ideas/index.js";
import type { CellOutcome } from "../cells/result.js";
import { describeCell, type CellSpec, type StudySpec, type TrainSpec } from "../cells/spec.js";
import {
  inlineExecutor,
  processExecutor,
  threadExecutor,
  workerScript,
  type CellLimits,
  type Executor,
} from "../executors/index.js";
import type { Provenance } from "../record.js";
import { asReadBack } from "../run/as-read-back.js";
import { provenance } from "../run/provenance.js";
import { workingCopy } from "../run/working-copy.js";
import { workThrough } from "../run/work-through.js";
import { memoryStore, type CellStore, type KeyedCell } from "../store/index.js";
import type { StudyPlan } from "./plan-study.js";
import { StudyProgress, type StudyEvent } from "./study-progress.js";
import type { StudyCell, StudyGrid, StudyPresentation } from "./study.js";

/** How a study is carried out. */
export interface StudySettings {
  /** Where cells are kept; by default in memory, for this time only. */
  readonly store?: CellStore;
  /** Worker threads of the cells that measure neither time nor memory; one a core by default. */
  readonly jobs?: number;
  /** Where those cells are computed: `threads` where the package is compiled, else `inline`. */
  readonly executor?: "inline" | "threads";
  /** Where cells that measure run; fresh processes by default. */
  readonly alone?: Executor;
  readonly limits?: CellLimits;
  readonly onProgress?: (event: StudyEvent) => void;
  /** Stops the study; what is stored stays. */
  readonly signal?: AbortSignal;
  /** The command line, for the provenance. */
  readonly command?: string;
}

/** A cell that was left out, and why. */
export interface OmittedCell {
  readonly point: StudySpec["point"];
  readonly why: string;
}

/** A finished study. */
export interface StudyRecord {
  readonly name: string;
  readonly title: string;
  readonly question: string;
  readonly grid: StudyGrid;
  readonly cells: readonly (StudyCell & { readonly key: string; readonly seconds: number })[];
  readonly omitted: readonly OmittedCell[];
  readonly presentation: StudyPresentation;
  readonly provenance: Provenance;
}

/** The share of the free memory that a cell may need. */
const ROOM = 0.8;

/**
 * Carries out a study: the models that its cells look at; then the cells that measure nothing, several at a time; then those
 * that measure time or memory, each alone in a fresh process. What is in the store is taken from there, and everything
 * finished is put there at once.
 *
 * @throws E_CELL, E_TIMEOUT when a cell fails, naming it
 * @throws E_STORE, E_NONDETERMINISM from the store
 * @throws E_INTERRUPTED when the signal stops it
 */
export async function runStudy(plan: StudyPlan, settings: StudySettings = {}): Promise<StudyRecord> {
  const { signal, limits = {} } = settings;
  const store = settings.store ?? memoryStore();
  const progress = new StudyProgress(plan, settings.onProgress);
  const started = new Date();
  const copy = workingCopy();
  const executors: Executor[] = [];
  const opened = (executor: Executor): Executor => {
    executors.push(executor);
    return executor;
  };
  const stop = (): void => executors.forEach((executor) => void executor.close());
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const shared = opened(sharedExecutor(settings, limits));
    const work = new StudyWork(store, progress, signal);
    const { models, cells } = plan;
    const each = <Spec extends CellSpec, Result>(
      executor: Executor,
      list: readonly KeyedCell<Spec>[],
      act: (cell: KeyedCell<Spec>) => Promise<Result>,
    ): Promise<Result[]> => workThrough(list, executor.workers, act, () => void executor.close());

    const weights = new Map<string, CellOutcome<TrainSpec>["result"]["weights"]>();
    await each(shared, models, async (cell) => {
      const { result } = await work.obtain(cell, () => shared.run({ kind: "train", spec: cell.spec }));
      weights.set(specName(cell.spec), result.weights);
    });

    const outcomes = new Map<string, CellOutcome<StudySpec>>();
    const omitted: OmittedCell[] = [];
    const compute = (executor: Executor) => async (cell: KeyedCell<StudySpec>) => {
      const { key, spec } = cell;
      const outcome = await work.obtain(cell, () => {
        const why = tooLarge(plan, spec);
        if (why !== undefined) {
          omitted.push({ point: spec.point, why });
          return undefined;
        }
        const models = spec.trained.map((trained) => weights.get(specName(trained))!);
        return executor.run({ kind: "study", spec, weights: models });
      });
      if (outcome) outcomes.set(key, outcome);
    };
    const isMeasurement = ({ spec }: KeyedCell<StudySpec>): boolean => spec.machine !== undefined;
    await each(
      shared,
      cells.filter((cell) => !isMeasurement(cell)),
      compute(shared),
    );
    await shared.close();
    const measurements = cells.filter(isMeasurement);
    if (measurements.length > 0) {
      const alone = opened(settings.alone ?? processExecutor({ limits }));
      await each({ ...alone, workers: 1 }, measurements, compute(alone));
    }

    const found = cells.flatMap(({ key, spec }) => {
      const outcome = outcomes.get(key);
      return outcome ? [{ key, point: spec.point, figures: outcome.result, seconds: outcome.seconds }] : [];
    });
    return {
      name: plan.study.name,
      title: plan.study.title,
      question: plan.study.question,
      grid: plan.grid,
      cells: found,
      omitted,
      presentation: plan.study.present(found.map(({ point, figures }) => ({ point, figures }))),
      provenance: provenance({
        copy,
        command: settings.command ?? "runStudy()",
        executor: shared.name,
        workers: shared.workers,
        started,
        seconds: (Date.now() - started.getTime()) / 1000,
      }),
    };
  } catch (error) {
    if (signal?.aborted && error instanceof GradstandError && error.code === "E_INTERRUPTED") {
      fail(
        "E_INTERRUPTED",
        `stopped with ${progress.done} of ${progress.total} cells finished; they are kept in ${store.location}`,
      );
    }
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    for (const executor of executors) await executor.close();
  }
}

function sharedExecutor({ executor, jobs }: StudySettings, limits: CellLimits): Executor {
  const name = executor ?? (workerScript() === undefined ? "inline" : "threads");
  return name === "inline"
    ? inlineExecutor(builtInIdeas, limits)
    : threadExecutor({ ...(jobs !== undefined && { workers: jobs }), limits });
}

const specName = (spec: TrainSpec): string => JSON.stringify(spec);

function tooLarge({ study }: StudyPlan, { point }: StudySpec): string | undefined {
  const needed = study.room?.(point) ?? 0;
  const free = os.freemem() * ROOM;
  const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  return needed > free ? `it needs ${mib(needed)} of memory, and ${mib(free)} may be used` : undefined;
}

/** Takes cells from the store, or computes and stores them, and keeps the progress told. */
class StudyWork {
  constructor(
    private readonly store: CellStore,
    private readonly progress: StudyProgress,
    private readonly signal: AbortSignal | undefined,
  ) {}

  obtain<Spec extends CellSpec>(
    cell: KeyedCell<Spec>,
    compute: () => Promise<CellOutcome<Spec>>,
  ): Promise<CellOutcome<Spec>>;
  obtain<Spec extends CellSpec>(
    cell: KeyedCell<Spec>,
    compute: () => Promise<CellOutcome<Spec>> | undefined,
  ): Promise<CellOutcome<Spec> | undefined>;
  async obtain<Spec extends CellSpec>(
    cell: KeyedCell<Spec>,
    compute: () => Promise<CellOutcome<Spec>> | undefined,
  ): Promise<CellOutcome<Spec> | undefined> {
    if (this.signal?.aborted) fail("E_INTERRUPTED", "the study was stopped before this cell was done");
    const name = describeCell(cell.spec);
    const found = this.store.read(cell);
    if (found !== undefined) {
      this.progress.finished(name, "stored");
      return found;
    }
    this.progress.started(name);
    const computed = await compute();
    if (computed === undefined) {
      this.progress.finished(name, "omitted");
      return undefined;
    }
    const outcome = this.store.write(cell, asReadBack(computed));
    this.progress.finished(name, "computed", outcome.seconds);
    return outcome;
  }
}
