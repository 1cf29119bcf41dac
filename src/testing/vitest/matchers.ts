import {
  checkAdjoint,
  checkBatch,
  checkBroadcasting,
  checkCorrectGradients,
  checkEqualBits,
  checkFlatMemory,
  checkFloat32Gradients,
  checkLinearPullback,
  checkSameBits,
  checkSecondOrder,
  checkZeroCotangent,
} from "../laws/index.js";
import { LawError } from "../law-failure.js";
import type { LawResult } from "../law-result.js";

/** The law that each matcher checks; what stands in `expect(…)` is its first argument. */
const laws = {
  toHaveCorrectGradients: checkCorrectGradients,
  toBeAdjoint: checkAdjoint,
  toHaveSecondOrder: checkSecondOrder,
  toHaveLinearPullback: checkLinearPullback,
  toHaveZeroCotangent: checkZeroCotangent,
  toBroadcast: checkBroadcasting,
  toBatch: checkBatch,
  toHaveSameBits: checkSameBits,
  toHaveEqualBits: checkEqualBits,
  toHaveFloat32Gradients: checkFloat32Gradients,
  toHaveFlatMemory: checkFlatMemory,
} as const;

type Laws = typeof laws;
type Rest<F> = F extends (subject: never, ...rest: infer R) => unknown ? R : never;

/** The matchers as methods of `expect(subject)`: each takes what its law takes after the subject. */
export type LawMatchers = { [Name in keyof Laws]: (...rest: Rest<Laws[Name]>) => void };

interface Context {
  readonly isNot?: boolean;
}

type Matcher = (
  this: Context,
  subject: unknown,
  ...rest: unknown[]
) => { pass: boolean; message: () => string };

/** A law as a matcher. A law that is broken is thrown as `LawError`, so that the result stays with the error. */
function matcherOf(check: (...args: never[]) => LawResult): Matcher {
  return function (subject, ...rest) {
    const result = (check as (...args: unknown[]) => LawResult)(subject, ...rest);
    if (!result.passed && !this.isNot) throw new LawError(result);
    return { pass: result.passed, message: () => keptMessage(result) };
  };
}

function keptMessage({ law, worst, tolerance, compared }: LawResult): string {
  return `expected ${law} not to hold, but it does: ${compared} numbers, largest error ${worst}, allowed ${tolerance}`;
}

/** What `expect.extend` takes. */
export const matchers = Object.fromEntries(
  Object.entries(laws).map(([name, check]) => [name, matcherOf(check)]),
) as Record<keyof Laws, Matcher>;
