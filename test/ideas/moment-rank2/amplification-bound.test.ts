import { describe, expect, it } from "vitest";
import { reachesBound } from "../../../src/ideas/moment-rank2/amplification-bound.js";

describe("reachesBound", () => {
  it("is s_i/(s_i − s_j) ≥ bound, also where the gap vanishes, and never where s_j does", () => {
    expect(reachesBound(8, 7, 8)).toBe(true);
    expect(reachesBound(8, 6.999, 8)).toBe(false);
    expect(reachesBound(1, 1, 8)).toBe(true);
    expect(reachesBound(5, 0, 1)).toBe(false);
    expect(reachesBound(0, 0, 8)).toBe(false);
    expect(reachesBound(1, 1 - 2 ** -53, Infinity)).toBe(false);
  });

  it("in float32 compares with the rounded bound, as the gradient in float32 does", () => {
    const kept = Math.fround(1.3);
    expect(kept).toBeLessThan(1.3);
    expect(reachesBound(kept, kept - 1, 1.3)).toBe(false);
    expect(reachesBound(kept, kept - 1, 1.3, true)).toBe(true);
  });
});
