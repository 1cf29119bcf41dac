import { builtInIdeas } from "../../ideas/index.js";
import { inlineExecutor, threadExecutor, workerScript, type Executor } from "../executors/index.js";
import type { Bench } from "./arms.js";
import { effectRows, identicalArms } from "./effect-rows.js";
import { errorRateRows } from "./error-rate-rows.js";
import { calibrationIdeas } from "./ideas.js";
import { mechanismRows } from "./mechanism-rows.js";
import type { CalibrationRow } from "./row.js";

/** The runs behind each rate, with which the accepted counts are those of the documentation. */
export const calibrationRuns = 200;

/** How a calibration is carried out; what is asked, with which seeds and sizes, is fixed. */
export interface CalibrationSettings {
  /** Runs behind each rate; fewer only for a test of the calibration itself. */
  readonly runs?: number;
  /** Worker threads; one a core by default. */
  readonly jobs?: number;
  /** `threads` where the package is compiled, else `inline`. */
  readonly executor?: Executor["name"];
  /** Called after every cell with the number trained so far, and before each group of rows with its name. */
  readonly onProgress?: (progress: { readonly doing: string; readonly cells: number }) => void;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** The answers, and what they took. */
export interface Calibration {
  readonly rows: readonly CalibrationRow[];
  readonly passed: boolean;
  readonly cells: number;
  readonly seconds: number;
}

/**
 * Puts questions to the bench whose answers are known: identical arms, equal arms with other seeds, planted shifts, a layer
 * that changes nothing, a change that harms, one that helps, a mechanism that is not there. Every cell is trained by the
 * bench's own engine, with seeds that are fixed in advance; nothing is stored or taken from a store.
 *
 * @throws E_CELL, E_CRASH when a cell fails, E_INTERRUPTED when the signal stops it
 */
export async function calibrate(settings: CalibrationSettings = {}): Promise<Calibration> {
  const { runs = calibrationRuns, onProgress, signal } = settings;
  const begin = performance.now();
  const executor = executorFor(settings);
  const stop = (): void => void executor.close();
  signal?.addEventListener("abort", stop, { once: true });
  let cells = 0;
  let doing = "";
  const onCell = (): void => {
    cells++;
    onProgress?.({ doing, cells });
  };
  const bench: Bench = { executor, onCell };
  const ask = async (name: string, question: () => Promise<readonly CalibrationRow[]>) => {
    doing = name;
    onProgress?.({ doing, cells });
    return question();
  };
  try {
    if (signal?.aborted) stop();
    const rows = [
      ...(await ask("identical arms", async () => [await identicalArms(bench)])),
      ...(await ask("equal arms and planted shifts", () => errorRateRows(bench, runs))),
      ...(await ask("known effects", () => inTurn(effectRows, bench))),
      ...(await ask("known mechanisms", () => inTurn(mechanismRows, bench))),
    ];
    const seconds = (performance.now() - begin) / 1000;
    return { rows, passed: rows.every(({ passed }) => passed), cells, seconds };
  } finally {
    signal?.removeEventListener("abort", stop);
    await executor.close();
  }
}

async function inTurn(
  questions: readonly ((bench: Bench) => Promise<CalibrationRow>)[],
  bench: Bench,
): Promise<CalibrationRow[]> {
  const rows: CalibrationRow[] = [];
  for (const question of questions) rows.push(await question(bench));
  return rows;
}

function executorFor({ executor, jobs }: CalibrationSettings): Executor {
  const wanted = executor ?? (workerScript() === undefined ? "inline" : "threads");
  return wanted === "threads"
    ? threadExecutor({ workers: jobs })
    : inlineExecutor(new Map([...builtInIdeas, ...calibrationIdeas]));
}
