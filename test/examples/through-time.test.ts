import { expect, test } from "vitest";
import { gated, gradientsThroughTime, plain } from "../../examples/through-time.js";

test("the gradient of the plain network fades on its way back, that of the GRU far less", () => {
  const [a, b] = [plain, gated].map((loss) => gradientsThroughTime(loss)) as [number[], number[]];
  expect([a.length, b.length]).toEqual([24, 24]);
  const kept = (norms: number[]): number => norms[0]! / norms.at(-1)!;
  expect(kept(a)).toBeLessThan(1e-3);
  expect(kept(b)).toBeGreaterThan(100 * kept(a));
});
