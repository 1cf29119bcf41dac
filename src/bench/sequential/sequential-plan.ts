import { fail } from "../../errors/index.js";
import { smallestSignFlipP } from "../../stats/index.js";
import { MOST_SEEDS } from "../most-seeds.js";

/** How seeds are added: so many at first, so many at a time, so many at most. Declared before anything is trained. */
export interface SequentialPlan {
  readonly start: number;
  readonly step: number;
  readonly most: number;
}

/** @throws E_PLAN for a plan that is none, and for one under which the evidence can never reach 1/alpha */
export function requireSequentialPlan({ start, step, most }: SequentialPlan, alpha: number): void {
  const whole = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;
  if (!whole(start, 2) || !whole(step, 1) || !whole(most, start + 1) || most > MOST_SEEDS) {
    fail(
      "E_PLAN",
      `a sequential plan takes at least 2 seeds first, at least 1 at a time and more than the first at most, no more than ` +
        `${MOST_SEEDS}; found ${start}, ${step}, ${most}`,
    );
  }
  const largest = 1 / smallestSignFlipP(most);
  if (largest < 1 / alpha) {
    fail(
      "E_PLAN",
      `with ${most} paired seeds at most the evidence E cannot exceed ${largest}, and it must reach ${1 / alpha}: no outcome ` +
        "could be significant. Ask for more seeds",
    );
  }
}

/** The numbers of pairs after which a plan looks at the evidence, up to a number of pairs that there are. */
export function looksOf({ start, step, most }: SequentialPlan, available = most): readonly number[] {
  const looks: number[] = [];
  for (let pairs = start; pairs <= available; pairs = Math.min(pairs + step, most)) {
    looks.push(pairs);
    if (pairs >= most) break;
  }
  return looks;
}
