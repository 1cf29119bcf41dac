import type { StudyEvent } from "../bench/index.js";
import type { Terminal } from "./terminal.js";

/** Shows how a study goes: redrawn lines on a screen, plain lines in a pipe. */
export interface StudyDisplay {
  update(event: StudyEvent): void;
  /** Clears the live lines. */
  end(): void;
}

/** The progress display of a study for a terminal. */
export function studyProgress(name: string, { err, redraw, live }: Terminal): StudyDisplay {
  return {
    update({ cell, state, seconds, done, total, running, secondsLeft }) {
      const left = secondsLeft === undefined || secondsLeft < 1 ? "" : `, ${timeText(secondsLeft)} left`;
      if (live) {
        const bar = "█".repeat(Math.round((done / total) * 20)).padEnd(20, "░");
        redraw([`${name} ${bar} ${done}/${total}${left}`, ...running.map((one) => `  ${one}`)]);
      } else if (state !== "started") {
        const how = seconds === undefined ? state : `${seconds.toFixed(1)} s`;
        err(`${name}: [${done}/${total}] ${cell} (${how}${left})`);
      }
    },
    end: () => {
      if (live) redraw([]);
    },
  };
}

function timeText(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
