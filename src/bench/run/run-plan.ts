import { fail, GradstandError } from "../../errors/index.js";
import type { MathCheck } from "../../ideas/index.js";
import { canonicalJson } from "../cells/canonical.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import type { Arm } from "../cells/spec.js";
import { runTold, type Executor } from "../executors/index.js";
import { fileOf, idOf, referenceOf } from "../plugins/registry.js";
import type { ArmRecord, CellRecord, ControlRecord, FloorRecord, RunRecord } from "../record.js";
import { memoryStore, type CellStore } from "../store/index.js";
import { CellRunner, type TrainedCell } from "./cell-runner.js";
import { executorOf } from "./executor-of.js";
import { finalCells, optionsWith, plannedCell, sweepCells, type Plan } from "./plan.js";
import { optionsTried } from "./plan-run.js";
import { ProgressTracker } from "./progress-tracker.js";
import type { Progress } from "./progress.js";
import { provenance } from "./provenance.js";
import { armRecord } from "./selection.js";
import { Training } from "./training.js";
import { trainFinals } from "./train-finals.js";
import { tune } from "./tune.js";
import { workThrough, type Free } from "./work-through.js";
import { workingCopy } from "./working-copy.js";

/** How a plan is carried out; nothing here changes a result. */
export interface RunSettings {
  /** Where cells are kept; by default in memory, for this run only. */
  readonly store?: CellStore;
  /** Worker threads; one a core by default. Not read beside an executor that is given. */
  readonly jobs?: number;
  /**
   * `threads` where the package is compiled and the idea is a built-in one or comes from a file, else `inline`. One from {@link executorOf}
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
 * Carries out a plan. First the idea's identities on random inputs, with every set of options that will be trained; then
 * the tuning of every arm; then each arm's best configuration on the final seeds, added as a sequential plan says where there is one, the only cells that read the test part
 * where the configurations are chosen on a validation part; then the floors; then the mechanism on the final models of
 * the idea, and the scores of controls that are evaluated on those models. The result depends on the plan alone, whatever the number of workers, the order in which they finish, and
 * what was stored before.
 *
 * A final model that diverged has no mechanism to measure and leaves no signature. A cell that takes longer than it may, or whose
 * worker dies, does not end the run: it stands in the record with its status and the reason, its metric is NaN, and it is not
 * stored, so that the same plan tries it again. Its configuration is then the worst of its sweep.
 *
 * @throws E_IDENTITY when an identity fails; nothing is trained then
 * @throws E_CELL when a cell throws, naming it
 * @throws E_TIMEOUT, E_CRASH when no cell ends, or in the sweep of the baseline or of the idea no configuration has all of its cells;
 *   and from whatever is no cell: the identities, the floors, the summary
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
  const tracker = new ProgressTracker(executor, settings.onProgress);
  try {
    if (signal?.aborted) stop();
    return await carryOut(plan, settings, executor, store, tracker);
  } catch (error) {
    if (signal?.aborted && error instanceof GradstandError && error.code === "E_INTERRUPTED") {
      fail(
        "E_INTERRUPTED",
        `stopped with ${tracker.done} of ${tracker.total} cells finished; they are kept in ${store.location}`,
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
  store: CellStore,
  tracker: ProgressTracker,
): Promise<RunRecord> {
  const started = new Date();
  const begin = performance.now();
  const { idea, track, model, protocol } = plan;
  const inParallel = <Item, Result>(
    items: readonly Item[],
    work: (item: Item, free: Free) => Promise<Result>,
  ) => workThrough(items, executor.workers, work, () => void executor.close());
  const runner = new CellRunner(plan, executor, store, tracker);
  const training = new Training(plan, runner, tracker, inParallel);

  warmUp(plan, executor, store);
  // The working copy as the run finds it; git is asked while the identities are checked.
  const [checks, copy] = await Promise.all([checkIdentities(plan, executor, tracker), workingCopy()]);
  await tryPlugins(plan, executor);

  tracker.phase(protocol.selection === "validation" ? "tuning" : "training");
  const { arms: tuned, extensions } = await tune(
    plan,
    (cells) => training.train(cells),
    (arm) => (cfg, seed) => training.metric(plannedCell(plan, arm, cfg, seed, protocol.selection)),
  );
  for (const { arm, best } of tuned) training.requireTuned(arm, best);

  if (protocol.selection === "validation") tracker.phase("training");
  const seeds = await trainFinals(plan, tuned, training, tracker);
  const armOf = (name: Arm): ArmRecord => {
    const { arm, sweep, best } = tuned.find((one) => one.arm.name === name)!;
    return armRecord(sweep, best, seeds, (cfg, seed) =>
      training.metric(plannedCell(plan, arm, cfg, seed, "test")),
    );
  };
  const ideaArm = armOf("idea");

  tracker.phase("floors");
  const sizes = { train: protocol.trainSize, test: protocol.testSize };
  const floors = await inParallel(seeds, (seed) =>
    executor.run({ kind: "floors", track: idOf(track), seed, sizes }),
  );

  tracker.phase("mechanism");
  const tunedIdea = tuned.find(({ arm }) => arm.name === "idea")!;
  const ideaModels = finalCells(plan, tunedIdea.arm, tunedIdea.best, seeds).map((cell) =>
    training.cell(cell),
  );
  const sound = ideaModels.filter(isSound);
  tracker.expectMeasuring(sound.length - ideaModels.length);
  const measured = await inParallel(sound, (cell, free) => runner.measure(cell, free));
  const signatures = measured.filter((model) => "signature" in model);
  const unmeasured = measured.filter((model) => "status" in model);

  if (plan.controls.some(({ kind }) => kind === "evaluated")) tracker.phase("controls");
  const evaluated = new Map<string, readonly CellRecord[]>();
  for (const { name, kind } of plan.controls) {
    if (kind !== "evaluated") continue;
    evaluated.set(
      name,
      await inParallel(ideaModels, async (cell, free) =>
        isUnfinished(cell) ? withoutModel(cell, name) : runner.evaluate(cell, name, free),
      ),
    );
    tracker.expectMeasuring(-ideaModels.filter(isUnfinished).length);
  }
  const controls = plan.controls
    .filter(({ kind }) => kind !== "baseline")
    .map((control): ControlRecord => {
      const scores = evaluated.get(control.name);
      if (!scores) return { control, ...armOf(`control:${control.name}`) };
      return { control, sweep: [], best: ideaArm.best, seeds, values: scores.map(({ metric }) => metric) };
    });

  const options = optionsWith(plan.options, ideaArm.best);
  const ownChecks = checks.get(canonicalJson(options))!;
  const reference = referenceOf(idea, options);
  const mechanism = await executor.run({ kind: "summarize", idea: reference, checks: ownChecks, signatures });
  tracker.phase("done");
  return {
    idea: { name: idea.name, title: idea.title, options },
    track: track.name,
    model: model.name,
    direction: track.direction,
    metric: track.metric,
    ...(track.further ? { furtherMetrics: track.further.metrics } : {}),
    protocol: { ...protocol, seeds },
    baseline: armOf("baseline"),
    ideaArm,
    extensions,
    controls,
    baselineControls: plan.controls.filter(({ kind }) => kind === "baseline"),
    floors: floorRecords(seeds, floors),
    checks: ownChecks,
    signatures,
    ...(unmeasured.length > 0 && { unmeasured }),
    mechanism,
    cells: [...training.records(), ...[...evaluated.values()].flat()],
    provenance: provenance({
      plan,
      copy,
      command: settings.command ?? "runPlan()",
      executor: executor.name,
      workers: executor.workers,
      started,
      seconds: (performance.now() - begin) / 1000 - (executor.secondsWaited?.() ?? 0),
    }),
  };
}

/** Makes the executor ready for the first cells, as far as they are not stored, while the identities are checked. */
function warmUp(plan: Plan, { workers, warm }: Executor, store: CellStore): void {
  if (warm === undefined) return;
  const first = sweepCells(plan, plan.sweep).slice(0, workers);
  warm(first.filter((cell) => store.read(cell) === undefined).length);
}

/** Tries the plug-ins that a plan uses, where it uses any, on the first seed. */
async function tryPlugins(plan: Plan, executor: Executor): Promise<void> {
  const { idea, track, model, protocol, sweep } = plan;
  if ([idea, track, model].every((part) => fileOf(part) === undefined)) return;
  const arm = plan.arms.find(({ name }) => name === "idea")!;
  const { spec } = plannedCell(plan, arm, sweep.changed[0], protocol.seeds[0], "test");
  await executor.run({ kind: "trial", spec });
}

/** The identities for each set of options that will be trained, by the options' canonical text. */
async function checkIdentities(
  plan: Plan,
  executor: Executor,
  tracker: ProgressTracker,
): Promise<ReadonlyMap<string, readonly MathCheck[]>> {
  const found = new Map<string, readonly MathCheck[]>();
  const onBegin = (): void => {
    if (found.size === 0) tracker.phase("checks");
  };
  for (const options of optionsTried(plan.options, plan.sweep)) {
    const task = { kind: "checks", idea: referenceOf(plan.idea, options) } as const;
    const checks = await runTold(executor, task, { onBegin });
    requireIdentities(plan.idea.name, checks);
    found.set(canonicalJson(options), checks);
  }
  return found;
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

const isUnfinished = ({ record: { status } }: TrainedCell): boolean =>
  status === "failed" || status === "timeout";

/** The record of a control that cannot be scored, since the idea's model that it needs is not there. */
function withoutModel({ record, spec }: TrainedCell, control: string): CellRecord {
  const key = cellKey({ kind: "evaluate", trained: spec, control }, packageFingerprint());
  return { ...record, key, arm: `control:${control}`, seconds: 0 };
}

function floorRecords(
  seeds: readonly number[],
  floors: readonly (readonly { readonly name: string; readonly value: number }[])[],
): readonly FloorRecord[] {
  return floors[0].map(({ name }, at) => ({ name, seeds, values: floors.map((values) => values[at].value) }));
}
