import {
  checkAdjoint,
  expectAdjoint,
  checkBatch,
  expectBatch,
  checkBroadcasting,
  expectBroadcasting,
  checkCausality,
  expectCausality,
  checkCorrectGradients,
  expectCorrectGradients,
  checkEqualBits,
  expectEqualBits,
  checkEquivariance,
  expectEquivariance,
  checkFlatMemory,
  expectFlatMemory,
  checkFloat32Gradients,
  expectFloat32Gradients,
  checkLinearPullback,
  expectLinearPullback,
  checkPositiveSemidefinite,
  expectPositiveSemidefinite,
  checkPreservedFunctionals,
  expectPreservedFunctionals,
  checkProjector,
  expectProjector,
  checkSameBits,
  expectSameBits,
  checkSameFunction,
  expectSameFunction,
  checkSecondOrder,
  expectSecondOrder,
  checkTraceDecrease,
  expectTraceDecrease,
  checkZeroCotangent,
  expectZeroCotangent,
} from "../laws/index.js";
import type { LawResult } from "../law-result.js";

/** The law that each matcher checks, and the form that throws; what stands in `expect(…)` is its first argument. */
const laws = {
  toBeAdjoint: [checkAdjoint, expectAdjoint],
  toBatch: [checkBatch, expectBatch],
  toBroadcast: [checkBroadcasting, expectBroadcasting],
  toBeCausal: [checkCausality, expectCausality],
  toHaveCorrectGradients: [checkCorrectGradients, expectCorrectGradients],
  toHaveEqualBits: [checkEqualBits, expectEqualBits],
  toBeEquivariant: [checkEquivariance, expectEquivariance],
  toHaveFlatMemory: [checkFlatMemory, expectFlatMemory],
  toHaveFloat32Gradients: [checkFloat32Gradients, expectFloat32Gradients],
  toHaveLinearPullback: [checkLinearPullback, expectLinearPullback],
  toBePositiveSemidefinite: [checkPositiveSemidefinite, expectPositiveSemidefinite],
  toPreserveFunctionals: [checkPreservedFunctionals, expectPreservedFunctionals],
  toBeProjector: [checkProjector, expectProjector],
  toHaveSameBits: [checkSameBits, expectSameBits],
  toBeSameFunction: [checkSameFunction, expectSameFunction],
  toHaveSecondOrder: [checkSecondOrder, expectSecondOrder],
  toDecreaseTrace: [checkTraceDecrease, expectTraceDecrease],
  toHaveZeroCotangent: [checkZeroCotangent, expectZeroCotangent],
} as const;

type Laws = typeof laws;
type Rest<F> = F extends (subject: never, ...rest: infer R) => unknown ? R : never;

/** The matchers as methods of `expect(subject)`: each takes what its law takes after the subject. */
export type LawMatchers = { [Name in keyof Laws]: (...rest: Rest<Laws[Name][1]>) => void };

interface Context {
  readonly isNot?: boolean;
}

type Matcher = (
  this: Context,
  subject: unknown,
  ...rest: unknown[]
) => { pass: boolean; message: () => string };

/** A law as a matcher. One that is broken is thrown by the law itself, explained, so that its result stays with the error. */
function matcherOf(
  check: (...args: never[]) => LawResult,
  required: (...args: never[]) => LawResult,
): Matcher {
  return function (subject, ...rest) {
    const law = (this.isNot ? check : required) as (...args: unknown[]) => LawResult;
    const result = law(subject, ...rest);
    return { pass: result.passed, message: () => keptMessage(result) };
  };
}

function keptMessage({ law, worst, tolerance, compared }: LawResult): string {
  return `expected ${law} not to hold, but it does: ${compared} numbers, largest error ${worst}, allowed ${tolerance}`;
}

/** What `expect.extend` takes. */
export const matchers = Object.fromEntries(
  Object.entries(laws).map(([name, [check, required]]) => [name, matcherOf(check, required)]),
) as Record<keyof Laws, Matcher>;
