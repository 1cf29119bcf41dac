import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearest, suggestion } from "../../../src/bench/run/nearest.js";

const word = fc.string({ maxLength: 8, unit: fc.constantFrom("a", "b", "c") });

test("a distance: zero only to itself, symmetric, at most the longer length, one for one edit", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(editDistance(a, a + "x")).toBe(1);
      expect(editDistance("xy" + a, "yx" + a)).toBe(1);
    }),
  );
  expect(editDistance("kitten", "sitting")).toBe(3);
});

test("finds what was meant, and says nothing when nothing is near", () => {
  const known = ["moment-rank2", "residual-pivoted"];
  expect(nearest("momentrank2", known)).toBe("moment-rank2");
  expect(nearest("Residual-pivotd", known)).toBe("residual-pivoted");
  expect(nearest("zzzz", known)).toBeUndefined();
  expect(nearest("", [])).toBeUndefined();
});

test("the end of an error message", () => {
  expect(suggestion("quik", ["seed", "quick"])).toBe("did you mean 'quick'? known: seed, quick");
  expect(suggestion("zzzzzz", ["seed", "quick"])).toBe("known: seed, quick");
  expect(suggestion("rank", [])).toBe("known: none");
});
