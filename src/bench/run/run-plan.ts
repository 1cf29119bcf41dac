import { fail, GradstandError } from "../../errors/index.js";
import type { MathCheck } from "../../ideas/index.js";
import type { Executor } from "../executors/index.js";
import type { FloorRecord, RunRecord } from "../record.js";
import { memoryStore, type CellStore } from "../store/index.js";
import { CellRunner, type TrainedCell } from "./cell-runner.js";
import { executorOf } from "./executor-of.js";
import type { Plan } from "./plan.js";
import { ProgressTracker } from "./progress-tracker.js";
import type { Progress } from "./progress.js";
import { provenance } from "./provenance.js";
import { armRecord } from "./selection.js";
import { workThrough } from "./work-through.js";

/** How a plan is carried out; nothing here changes a result. */
export interface RunSettings {
  /** Where cells are kept; by default in memory, for this run only. */
  readonly store?: CellStore;
  /** Worker threads; one a core by default. Not read beside an executor that is given. */
  readonly jobs?: number;
  /**
   * `threads` where the package is compiled and the idea is a built-in one, else `inline`. One from {@link executorOf}
   * stays open after a run that went well, so that the next run finds its workers started and warm.
   */
  readonly executor?: "inline" | "threads" | Executor;
  readonly onProgress?: (progress: Progress) => void;
  /** Stops the run; what is stored stays. */
  readonly signal?: AbortSignal;
  /** The command line, for the report's provenance. */
  readonly command?: string;
}

/**
 * Carries out a plan. First the idea's identities on random inputs; then every training cell of both arms; then each
 * arm's best configuration by its mean over the sweep seeds, whose cells are the final ones; then the floors; then
 * the mechanism on the final models of the idea. The result depends on the plan alone, whatever the number of
 * workers, the order in which they finish, and what was stored before.
 *
 * A final model that diverged has no mechanism to measure and leaves no signature.
 *
 * @throws E_IDENTITY when an identity fails; nothing is trained then
 * @throws E_CELL when a cell fails, naming it
 * @throws E_STORE, E_NONDETERMINISM from the store
 * @throws E_INTERRUPTED when the signal stops the run
 */
export async function runPlan(plan: Plan, settings: RunSettings = {}): Promise<RunRecord> {
  const { executor: wanted, jobs, signal } = settings;
  const isGiven = typeof wanted === "object";
  const executor = isGiven ? wanted : executorOf(plan, wanted, jobs);
  const stop = (): void => void executor.close();
  signal?.addEventListener("abort", stop, { once: true });
  const store = settings.store ?? memoryStore();
  const total = plan.cells.length + plan.protocol.seeds.length;
  const specs = plan.cells.map((cell) => cell.spec);
  const tracker = new ProgressTracker(specs, total, executor.workers, settings.onProgress);
  try {
    if (signal?.aborted) stop();
    return await carryOut(plan, settings, executor, new CellRunner(plan, executor, store, tracker), tracker);
  } catch (error) {
    if (signal?.aborted && error instanceof GradstandError && error.code === "E_INTERRUPTED") {
      fail(
        "E_INTERRUPTED",
        `stopped with ${tracker.done} of ${total} cells finished; they are kept in ${store.location}`,
      );
    }
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    if (!isGiven) await executor.close();
  }
}

async function carryOut(
  plan: Plan,
  settings: RunSettings,
  executor: Executor,
  runner: CellRunner,
  tracker: ProgressTracker,
): Promise<RunRecord> {
  const started = new Date();
  const begin = performance.now();
  const { idea, options, track, model, protocol } = plan;
  const { seeds, sweepSeeds, grid } = protocol;
  const inParallel = <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) =>
    workThrough(items, executor.workers, work, () => void executor.close());

  tracker.phase("checks");
  const checks = await executor.run({ kind: "checks", idea: { name: idea.name, options } });
  requireIdentities(idea.name, checks);

  tracker.phase("training");
  const trained = await inParallel(plan.cells, (cell) => runner.train(cell));
  const cells = trained.map(({ record }) => record);
  const arm = (name: "baseline" | "idea") =>
    armRecord(
      cells.filter((cell) => cell.arm === name),
      grid,
      seeds,
      sweepSeeds[name],
      track.direction,
    );
  const ideaArm = arm("idea");

  tracker.phase("floors");
  const sizes = { train: protocol.trainSize, test: protocol.testSize };
  const floors = await inParallel(seeds, (seed) =>
    executor.run({ kind: "floors", track: track.name, seed, sizes }),
  );

  tracker.phase("mechanism");
  const final = trained.filter(({ spec }) => spec.arm === "idea" && spec.cfg === ideaArm.best);
  const signatures = await inParallel(final.filter(isSound), (cell) => runner.measure(cell));

  tracker.phase("done");
  return {
    idea: { name: idea.name, title: idea.title, options },
    track: track.name,
    model: model.name,
    direction: track.direction,
    metric: track.metric,
    protocol,
    baseline: arm("baseline"),
    ideaArm,
    floors: floorRecords(seeds, floors),
    checks,
    signatures,
    mechanism: idea.summarize(checks, signatures),
    cells,
    provenance: provenance({
      command: settings.command ?? "runPlan()",
      executor: executor.name,
      workers: executor.workers,
      started,
      seconds: (performance.now() - begin) / 1000,
    }),
  };
}

function requireIdentities(name: string, checks: readonly MathCheck[]): void {
  const failed = checks.filter((check) => !check.passed);
  if (failed.length === 0) return;
  const lines = failed.map(
    ({ name: identity, statement, observed, bound }) =>
      `${identity}: ${statement} (observed ${observed}, allowed ${bound})`,
  );
  fail(
    "E_IDENTITY",
    `${failed.length} of ${checks.length} identities of ${name} do not hold, so nothing was trained: ${lines.join("; ")}`,
  );
}

function isSound({ record }: TrainedCell): boolean {
  return record.status === "ok";
}

function floorRecords(
  seeds: readonly number[],
  floors: readonly (readonly { readonly name: string; readonly value: number }[])[],
): readonly FloorRecord[] {
  return floors[0].map(({ name }, at) => ({ name, seeds, values: floors.map((values) => values[at].value) }));
}
