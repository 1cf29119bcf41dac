import type { Draw } from "./draw.js";
import type { Expected } from "./oracle.js";

/** How a public function is called at random. */
export interface FuzzSubject {
  /** Arguments, most of them as they should be. */
  readonly args: (draw: Draw) => unknown[];
  /** What must come of arguments of which none is hostile. */
  readonly expected?: (args: readonly unknown[]) => Expected;
  /** Runs the call where it is more than the function with the arguments. */
  readonly run?: (args: readonly unknown[]) => unknown;
}

export type FuzzSubjects = Readonly<Record<string, FuzzSubject>>;
