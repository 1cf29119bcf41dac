import type { Executor } from "../executors/index.js";
import { stepCount, type Arm, type TrainSpec } from "../cells/spec.js";
import type { Progress, RunEvent, RunningCell, RunPhase } from "./progress.js";
import type { Unfinished } from "./unfinished.js";

/** The training cells of an arm: those still to come, and the time that those computed in this run took. */
interface ArmPace {
  left: number;
  computed: number;
  seconds: number;
}

/** Counts what a run has done and tells its listener after every event. */
export class ProgressTracker {
  readonly #started = performance.now();
  readonly #running = new Map<string, RunningCell>();
  readonly #arms = new Map<Arm, ArmPace>();
  #phase: RunPhase = "checks";
  #done = 0;
  #total = 0;
  #stored = 0;
  #steps = 0;
  #firstCell: number | undefined;

  constructor(
    readonly executor: Pick<Executor, "workers" | "queued">,
    readonly listener: ((progress: Progress) => void) | undefined,
  ) {}

  /** So many more training cells of an arm are to come; fewer when negative. */
  expectTraining(arm: Arm, cells: number): void {
    this.#paceOf(arm).left += cells;
    this.#total += cells;
  }

  /** Mechanisms are to be measured, or trained models scored. */
  expectMeasuring(cells: number): void {
    this.#total += cells;
  }

  /** Cells that the run has in all, as far as is known. */
  get total(): number {
    return this.#total;
  }

  /** Cells finished so far, computed or found in the store. */
  get done(): number {
    return this.#done;
  }

  phase(phase: RunPhase): void {
    this.#phase = phase;
    this.#tell({ kind: "phase", phase });
  }

  started(key: string, cell: RunningCell): void {
    this.#firstCell ??= performance.now();
    this.#running.set(key, cell);
    this.#tell({ kind: "started", cell });
  }

  epoch(key: string, epoch: number, loss: number, steps: number): void {
    const cell = this.#running.get(key);
    if (cell === undefined) return;
    const now = { ...cell, epoch, loss };
    this.#running.set(key, now);
    this.#steps += steps;
    this.#tell({ kind: "epoch", cell: now });
  }

  retried(key: string, reason: string): void {
    const cell = this.#running.get(key);
    if (cell !== undefined) this.#tell({ kind: "retried", cell, reason });
  }

  waiting(reason: string): void {
    this.#tell({ kind: "waiting", reason });
  }

  /** A cell is done; `seconds` only when it was computed in this run. */
  finished(key: string, event: RunEvent & { kind: "trained" | "measured" | "evaluated" }): void {
    this.#running.delete(key);
    this.#done += 1;
    if (event.stored) this.#stored += 1;
    if (event.kind === "trained") {
      const { arm, seconds } = event.cell;
      const pace = this.#paceOf(arm);
      pace.left -= 1;
      if (!event.stored) {
        pace.computed += 1;
        pace.seconds += seconds;
      }
    }
    this.#tell(event);
  }

  /** A cell did not end, and is not tried again in this run. */
  unfinished(key: string, unfinished: Unfinished): void {
    const cell = this.#running.get(key)!;
    this.#running.delete(key);
    this.#done += 1;
    if (cell.kind === "train") this.#paceOf(cell.arm).left -= 1;
    this.#tell({ kind: "unfinished", cell, ...unfinished });
  }

  #paceOf(arm: Arm): ArmPace {
    const known = this.#arms.get(arm);
    if (known !== undefined) return known;
    const pace = { left: 0, computed: 0, seconds: 0 };
    this.#arms.set(arm, pace);
    return pace;
  }

  /**
   * Seconds left at the pace so far: an arm without a finished cell is taken to be as fast as all together. Where it is not known how
   * many cells run at the same time, the pace is that of the finished ones by the clock, the time that they stood in the queue included.
   */
  #secondsLeft(now: number): number | undefined {
    const arms = [...this.#arms.values()];
    const computed = arms.reduce((sum, arm) => sum + arm.computed, 0);
    if (computed === 0) return undefined;
    if (this.executor.queued === true) {
      const left = arms.reduce((sum, arm) => sum + arm.left, 0);
      return (left * (now - (this.#firstCell ?? now))) / 1000 / computed;
    }
    const common = arms.reduce((sum, arm) => sum + arm.seconds, 0) / computed;
    const work = arms.reduce(
      (sum, { left, computed: own, seconds }) => sum + left * (own > 0 ? seconds / own : common),
      0,
    );
    return work / this.executor.workers;
  }

  #tell(event: RunEvent): void {
    if (this.listener === undefined) return;
    const now = performance.now();
    const training = this.#firstCell === undefined ? 0 : (now - this.#firstCell) / 1000;
    this.listener({
      event,
      phase: this.#phase,
      done: this.#done,
      total: this.#total,
      stored: this.#stored,
      running: [...this.#running.values()],
      stepsPerSecond: training > 0 ? this.#steps / training : 0,
      secondsElapsed: (now - this.#started) / 1000,
      secondsLeft: this.#secondsLeft(now),
    });
  }
}

/** The optimizer steps of one epoch. */
export function stepsPerEpoch(spec: TrainSpec): number {
  return stepCount({ ...spec, epochs: 1 });
}
