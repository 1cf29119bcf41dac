import type { Arm, TrainSpec } from "../cells/spec.js";
import { stepCount } from "../cells/spec.js";
import type { Progress, RunEvent, RunningCell, RunPhase } from "./progress.js";

interface Timing {
  cells: number;
  seconds: number;
}

/** Counts what a run has done and tells its listener after every event. */
export class ProgressTracker {
  readonly #started = performance.now();
  readonly #running = new Map<string, RunningCell>();
  /** Training cells still to come, and the time that those computed in this run took, by arm. */
  readonly #left: Record<Arm, number> = { baseline: 0, idea: 0 };
  readonly #timing: Record<Arm, Timing> = {
    baseline: { cells: 0, seconds: 0 },
    idea: { cells: 0, seconds: 0 },
  };
  #phase: RunPhase = "checks";
  #done = 0;
  #stored = 0;
  #steps = 0;
  #firstCell: number | undefined;

  constructor(
    cells: readonly TrainSpec[],
    readonly total: number,
    readonly workers: number,
    readonly listener: ((progress: Progress) => void) | undefined,
  ) {
    for (const { arm } of cells) this.#left[arm] += 1;
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

  /** A cell is done; `seconds` only when it was computed in this run. */
  finished(key: string, event: RunEvent & { kind: "trained" | "measured" }): void {
    this.#running.delete(key);
    this.#done += 1;
    if (event.stored) this.#stored += 1;
    if (event.kind === "trained") {
      const { arm, seconds } = event.cell;
      this.#left[arm] -= 1;
      if (!event.stored) {
        this.#timing[arm].cells += 1;
        this.#timing[arm].seconds += seconds;
      }
    }
    this.#tell(event);
  }

  /** Seconds left at the pace so far: an arm without a finished cell is taken to be as fast as the other. */
  #secondsLeft(): number | undefined {
    const { baseline, idea } = this.#timing;
    const cells = baseline.cells + idea.cells;
    if (cells === 0) return undefined;
    const pace = ({ cells: own, seconds }: Timing): number =>
      own > 0 ? seconds / own : (baseline.seconds + idea.seconds) / cells;
    return (this.#left.baseline * pace(baseline) + this.#left.idea * pace(idea)) / this.workers;
  }

  #tell(event: RunEvent): void {
    if (this.listener === undefined) return;
    const now = performance.now();
    const training = this.#firstCell === undefined ? 0 : (now - this.#firstCell) / 1000;
    this.listener({
      event,
      phase: this.#phase,
      done: this.#done,
      total: this.total,
      stored: this.#stored,
      running: [...this.#running.values()],
      stepsPerSecond: training > 0 ? this.#steps / training : 0,
      secondsElapsed: (now - this.#started) / 1000,
      secondsLeft: this.#secondsLeft(),
    });
  }
}

/** The optimizer steps of one epoch. */
export function stepsPerEpoch(spec: TrainSpec): number {
  return stepCount({ ...spec, epochs: 1 });
}
