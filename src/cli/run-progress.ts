import type { Progress, RunEvent, RunningCell } from "../bench/index.js";
import type { Terminal } from "./terminal.js";

/** Shows how a run goes: redrawn lines on a screen, plain lines in a pipe. */
export interface RunProgress {
  update(progress: Progress): void;
  /** Clears the live lines. */
  end(): void;
}

const phases = {
  checks: "checking the mathematics on random inputs",
  tuning: "tuning on the validation part",
  training: "training",
  floors: "measuring the floors",
  mechanism: "measuring the mechanism on the trained models",
  controls: "scoring controls on the trained models",
  done: "done",
} as const;

/** The progress display for a terminal. */
export function runProgress(name: string, terminal: Terminal): RunProgress {
  return terminal.live ? liveProgress(name, terminal) : plainProgress(name, terminal);
}

function plainProgress(name: string, { err }: Terminal): RunProgress {
  let lastFinished = -1;
  return {
    update(progress) {
      const { event } = progress;
      if (event.kind === "phase") err(`${name}: ${phases[event.phase]}`);
      if (event.kind === "retried") err(`${name}: retried ${describe(event.cell)}: ${event.reason}`);
      if (event.kind === "waiting") err(`${name}: ${event.reason}`);
      if (event.kind === "unfinished") err(unfinished(name, progress.done, progress.total, event));
      if (event.kind === "trained" && progress.done !== lastFinished) {
        lastFinished = progress.done;
        const { arm, cfg, seed, metric, seconds } = event.cell;
        const how = event.stored ? "stored" : `${seconds.toFixed(1)} s`;
        err(
          `${name}: [${progress.done}/${progress.total}] ${arm} lr ${cfg.lr} seed ${seed}: ${metric.toPrecision(5)} (${how}${left(progress)})`,
        );
      }
      if (event.kind === "measured")
        err(`${name}: [${progress.done}/${progress.total}] mechanism, seed ${event.seed}`);
      if (event.kind === "evaluated") {
        const { arm, seed, metric } = event.cell;
        err(`${name}: [${progress.done}/${progress.total}] ${arm} seed ${seed}: ${metric.toPrecision(5)}`);
      }
    },
    end: () => undefined,
  };
}

/** A redraw at most every so many milliseconds. */
const redrawEvery = 100;

function liveProgress(name: string, { err, redraw }: Terminal): RunProgress {
  let lastDraw = 0;
  return {
    update(progress) {
      const now = performance.now();
      if (progress.event.kind === "epoch" && now - lastDraw < redrawEvery) return;
      lastDraw = now;
      if (progress.event.kind === "retried")
        err(`${name}: retried ${describe(progress.event.cell)}: ${progress.event.reason}`);
      if (progress.event.kind === "waiting") err(`${name}: ${progress.event.reason}`);
      if (progress.event.kind === "unfinished")
        err(unfinished(name, progress.done, progress.total, progress.event));
      const share = progress.total === 0 ? 0 : progress.done / progress.total;
      const bar = "█".repeat(Math.round(share * 20)).padEnd(20, "░");
      const rate = progress.stepsPerSecond > 0 ? `, ${progress.stepsPerSecond.toFixed(1)} steps/s` : "";
      redraw([
        `${name} ${bar} ${progress.done}/${progress.total} ${phases[progress.phase]}${rate}${left(progress)}`,
        ...progress.running.map((cell) => `  ${describe(cell)}`),
      ]);
    },
    end: () => redraw([]),
  };
}

/** A cell that did not end: what became of it, and that the run goes on. */
function unfinished(
  name: string,
  done: number,
  total: number,
  { status, reason }: RunEvent & { kind: "unfinished" },
): string {
  return `${name}: [${done}/${total}] ${status}: ${reason}; the run goes on without it`;
}

function left({ secondsLeft }: Progress): string {
  if (secondsLeft === undefined || secondsLeft < 1) return "";
  return secondsLeft < 90
    ? `, ${Math.round(secondsLeft)} s left`
    : `, ${Math.round(secondsLeft / 60)} min left`;
}

function describe({ kind, arm, cfg, seed, epoch, epochs, loss }: RunningCell): string {
  const what = `${arm} lr ${cfg.lr} seed ${seed}`;
  if (kind === "evaluate") return `scoring ${what}`;
  if (kind === "measure") return `mechanism of ${what}`;
  return `${what}: epoch ${epoch}/${epochs}${loss === undefined ? "" : `, loss ${loss.toPrecision(4)}`}`;
}
