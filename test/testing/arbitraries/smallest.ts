import fc from "fast-check";
import { expect } from "vitest";
import { runs } from "../../runs.js";

/** The smallest counterexample that fast-check finds to a property which must fail. */
export function smallest<T>(values: fc.Arbitrary<T>, holds: (value: T) => boolean): T {
  const found = fc.check(fc.property(values, holds), {
    numRuns: runs(1000),
    // Where shrinking ends may depend on where it begins.
    seed: 20261130,
  });
  expect(found.failed, "the property was never broken").toBe(true);
  return found.counterexample![0];
}

/** Runs assertions on every value that is drawn. */
export function always<T>(values: fc.Arbitrary<T>, holds: (value: T) => void, count = 300): void {
  fc.assert(
    fc.property(values, (value) => {
      holds(value);
    }),
    { numRuns: runs(count) },
  );
}
