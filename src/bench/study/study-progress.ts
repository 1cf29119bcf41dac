import type { StudyPlan } from "./plan-study.js";

/** The state of a study after a cell has begun or ended. */
export interface StudyEvent {
  /** The cell in words. */
  readonly cell: string;
  readonly state: "started" | "stored" | "computed" | "omitted";
  /** Seconds that the cell took, of one that was computed now. */
  readonly seconds?: number;
  /** Cells finished, of `total`; models that were trained first count too. */
  readonly done: number;
  readonly total: number;
  /** The cells under way. */
  readonly running: readonly string[];
  /** By the pace of the cells computed so far; undefined until there is one. */
  readonly secondsLeft: number | undefined;
}

/** Counts the cells of a study. */
export class StudyProgress {
  done = 0;
  readonly total: number;
  #computed = 0;
  readonly #begin = performance.now();
  readonly #running = new Set<string>();

  constructor(
    { models, cells }: Pick<StudyPlan, "models" | "cells">,
    private readonly tell: ((event: StudyEvent) => void) | undefined,
  ) {
    this.total = models.length + cells.length;
  }

  started(cell: string): void {
    this.#running.add(cell);
    this.#report(cell, "started");
  }

  finished(cell: string, state: "stored" | "computed" | "omitted", seconds?: number): void {
    this.#running.delete(cell);
    this.done += 1;
    if (state === "computed") this.#computed += 1;
    this.#report(cell, state, seconds);
  }

  #report(cell: string, state: StudyEvent["state"], seconds?: number): void {
    const elapsed = (performance.now() - this.#begin) / 1000;
    this.tell?.({
      cell,
      state,
      ...(seconds !== undefined && { seconds }),
      done: this.done,
      total: this.total,
      running: [...this.#running],
      secondsLeft: this.#computed === 0 ? undefined : (elapsed / this.#computed) * (this.total - this.done),
    });
  }
}
