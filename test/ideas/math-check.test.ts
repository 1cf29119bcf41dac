import { describe, expect, it } from "vitest";
import { mathCheck } from "../../src/ideas/math-check.js";

describe("mathCheck", () => {
  it.each([
    [0, 0, true],
    [1e-9, 1e-9, true],
    [1.1e-9, 1e-9, false],
    [NaN, 1, false],
    [Infinity, 1, false],
  ])("of %d observed and a bound of %d passes: %s", (observed, bound, passed) => {
    expect(mathCheck("name", "a = b", observed, bound)).toEqual({
      name: "name",
      statement: "a = b",
      observed,
      bound,
      passed,
    });
  });
});
