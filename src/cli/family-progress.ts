import { runProgress, type RunProgress } from "./run-progress.js";
import type { Terminal } from "./terminal.js";

/** What the displays of a family know of how its runs are carried out. */
export interface FamilyTerms {
  /** Whether tasks stand in a queue of others', where the runs of a family do not take places from each other. */
  readonly queued?: boolean;
}

/**
 * The progress displays of runs that share places, in the order of their precedence. On a screen each has its own block of lines, in that order. The
 * time left of a run is that of the work of those before it as well: they take the places first.
 */
export function familyProgress(
  names: readonly string[],
  terminal: Terminal,
  { queued = false }: FamilyTerms = {},
): readonly RunProgress[] {
  const blocks: (readonly string[])[] = names.map(() => []);
  const left: (number | undefined)[] = names.map(() => undefined);
  return names.map((name, at) => {
    const redraw = (lines: readonly string[]): void => {
      blocks[at] = lines;
      terminal.redraw(blocks.flat());
    };
    const own = runProgress(name, { ...terminal, redraw });
    return {
      update(progress) {
        left[at] = progress.secondsLeft;
        own.update(queued ? progress : { ...progress, secondsLeft: sum(left.slice(0, at + 1)) });
      },
      end() {
        left[at] = 0;
        own.end();
      },
    };
  });
}

/** The sum of numbers; undefined when one of them is. */
function sum(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (total, value) => (total === undefined || value === undefined ? undefined : total + value),
    0,
  );
}
