import type { MathCheck } from "./idea.js";

/** A check that holds when `observed` is a number not above `bound`. */
export function mathCheck(name: string, statement: string, observed: number, bound: number): MathCheck {
  return { name, statement, observed, bound, passed: observed <= bound };
}
