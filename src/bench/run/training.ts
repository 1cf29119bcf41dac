import { fail } from "../../errors/index.js";
import type { CellRecord, Config } from "../record.js";
import type { CellRunner, TrainedCell } from "./cell-runner.js";
import { plannedCell, sweepCells, type Plan, type PlannedArm, type PlannedCell } from "./plan.js";
import type { ProgressTracker } from "./progress-tracker.js";
import type { Free } from "./work-through.js";

/** Works through a list of cells, several at the same time. */
type InParallel = (
  cells: readonly PlannedCell[],
  work: (cell: PlannedCell, free: Free) => Promise<TrainedCell>,
) => Promise<readonly TrainedCell[]>;

/** The training cells of a run: each is trained once, whichever part of the run asks for it. */
export class Training {
  readonly #trained = new Map<string, TrainedCell>();
  readonly #expected = new Set<string>();
  /** Cells of each arm that are still to be named: its configuration for the final seeds is not chosen yet. */
  #unnamed: number;

  constructor(
    private readonly plan: Plan,
    private readonly runner: CellRunner,
    private readonly tracker: ProgressTracker,
    private readonly inParallel: InParallel,
  ) {
    const { selection, seeds, sequential } = plan.protocol;
    const finals = sequential?.start ?? seeds.length;
    this.#unnamed = selection === "validation" ? finals : 0;
    for (const { name } of plan.arms) tracker.expectTraining(name, this.#unnamed);
    const evaluated = plan.controls.filter(({ kind }) => kind === "evaluated").length;
    tracker.expectMeasuring(finals * (1 + evaluated));
    this.#expect(sweepCells(plan, plan.sweep));
  }

  /** Trains those cells that were not trained before. */
  async train(cells: readonly PlannedCell[]): Promise<void> {
    this.#expect(cells);
    const missing = cells.filter(({ key }) => !this.#trained.has(key));
    const trained = await this.inParallel(missing, (cell, free) => this.runner.train(cell, free));
    for (const cell of trained) this.#trained.set(cell.record.key, cell);
  }

  /** {@link train} for the final cells of every arm. */
  async trainFinal(cells: readonly PlannedCell[]): Promise<void> {
    for (const { name } of this.plan.arms) this.tracker.expectTraining(name, -this.#unnamed);
    this.#unnamed = 0;
    await this.train(cells);
  }

  /** A cell that was trained. */
  cell({ key }: PlannedCell): TrainedCell {
    return this.#trained.get(key)!;
  }

  /** The metric of a cell that was trained. */
  metric(cell: PlannedCell): number {
    return this.cell(cell).record.metric;
  }

  /**
   * Throws the failure of a cell behind the best configuration of the baseline or the idea: no configuration has all of its cells
   * then, or another one would be the best.
   */
  requireTuned(arm: PlannedArm, best: Config): void {
    if (arm.name !== "baseline" && arm.name !== "idea") return;
    for (const seed of arm.sweepSeeds) {
      const { status, reason } = this.cell(
        plannedCell(this.plan, arm, best, seed, this.plan.protocol.selection),
      ).record;
      if (status !== "failed" && status !== "timeout") continue;
      fail(
        status === "timeout" ? "E_TIMEOUT" : "E_CRASH",
        `no configuration of the ${arm.name} could be tuned, so that there is nothing to compare; the first: ${reason}`,
      );
    }
  }

  /** Every cell, in the order in which they were asked for. */
  records(): readonly CellRecord[] {
    return [...this.#trained.values()].map(({ record }) => record);
  }

  #expect(cells: readonly PlannedCell[]): void {
    const unexpected = cells.filter(({ key }) => !this.#expected.has(key));
    for (const { key, spec } of unexpected) {
      this.#expected.add(key);
      this.tracker.expectTraining(spec.arm, 1);
    }
  }
}
