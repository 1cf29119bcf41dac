import type { Tensor } from "./tensor.js";

/** Of a scope: what was recorded in it cannot be walked once it has ended, and what it keeps. */
export interface Lifetime {
  ended: boolean;
  /** What outlives the scope. */
  readonly kept: Set<Tensor>;
  /** Those that were given a gradient, which outlives it too. */
  readonly graded: Set<Tensor>;
}

let current: Lifetime | undefined;
const outer: (Lifetime | undefined)[] = [];

/** The lifetime of the innermost open scope. */
export function currentLifetime(): Lifetime | undefined {
  return current;
}

/** Begins the lifetime of a scope. */
export function beginLifetime(): Lifetime {
  outer.push(current);
  current = { ended: false, kept: new Set(), graded: new Set() };
  return current;
}

/** Ends the innermost one. */
export function endLifetime(): void {
  current!.ended = true;
  current = outer.pop();
}
