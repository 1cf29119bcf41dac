import { expect, test } from "vitest";
import { evidencePath, looksOf, requireSequentialPlan } from "../../../src/bench/sequential/index.js";
import { signEProcess } from "../../../src/stats/index.js";

const plan = { start: 4, step: 3, most: 12 };
const alike = (count: number): number[] => new Array<number>(count).fill(1);
const mixed = (count: number): number[] => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 1 : -1));

test("the looks are start, then step by step, and the most", () => {
  expect(looksOf(plan)).toEqual([4, 7, 10, 12]);
  expect(looksOf(plan, 9)).toEqual([4, 7]);
  expect(looksOf({ start: 2, step: 1, most: 1e9 }, 4)).toEqual([2, 3, 4]);
});

test("the evidence is that of the e-process at the looks, and ends the run at 1/alpha", () => {
  const evidence = signEProcess(alike(7));
  const path = evidencePath(alike(7), plan, 0.05);
  expect(path.looks).toEqual([
    { pairs: 4, evidence: evidence[3] },
    { pairs: 7, evidence: evidence[6] },
  ]);
  // With seven differences alike the mean over ±λ of (exp(λ)/cosh(λ))⁷ is 20.6…, with four it is below 20.
  expect(evidence[6]).toBeGreaterThan(20);
  expect(evidence[3]).toBeLessThan(20);
  expect(path).toMatchObject({ threshold: 20, stopped: "evidence", p_value: 1 / evidence[6] });
});

test("why it ends, and whether seeds were added as declared", () => {
  expect(evidencePath(alike(4), plan, 0.05).stopped).toBe("open");
  expect(evidencePath(mixed(12), plan, 0.05).stopped).toBe("most");
  expect(evidencePath(alike(10), plan, 0.05).stopped).toBe("not as declared");
  expect(evidencePath(mixed(8), plan, 0.05).stopped).toBe("not as declared");
  expect(evidencePath(mixed(2), plan, 0.05).stopped).toBe("not as declared");
  expect(evidencePath([1, 2, 3, NaN], plan, 0.05)).toMatchObject({ stopped: "diverged", p_value: NaN });
});

test.each([
  [{ start: 1, step: 1, most: 9 }, /found 1, 1, 9/],
  [{ start: 8, step: 0, most: 9 }, /at least 1 at a time/],
  [{ start: 8, step: 4, most: 8 }, /more than the first at most/],
  [{ start: 2.5, step: 4, most: 8 }, /E_PLAN/],
  [
    { start: 2, step: 1, most: 5 },
    /with 5 paired seeds at most the evidence E cannot exceed 16, and it must reach 20/,
  ],
])("the plan %j is refused", (wrong, message) => {
  expect(() => requireSequentialPlan(wrong, 0.05)).toThrow(message);
});
