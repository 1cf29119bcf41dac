import { describe, expect, it } from "vitest";
import { orthonormalise } from "../../../src/tensor/linalg/orthonormalise.js";
import { greatestDifference } from "./matrices.js";

const precisions = [
  { name: "float32", single: true, roundoff: 2 ** -24 },
  { name: "float64", single: false, roundoff: 2 ** -53 },
];

describe.each(precisions)("orthonormalise in $name", ({ single, roundoff }) => {
  it("keeps the direction of the little that is left of a vector, at full precision", () => {
    const small = 2 ** -12;
    const vectors = Float64Array.of(1, 0, 0, 1, small, 2 * small);
    orthonormalise(vectors, 2, 3, single);
    const expected = [1, 0, 0, 0, 1 / Math.sqrt(5), 2 / Math.sqrt(5)];
    expect(greatestDifference(vectors, expected)).toBeLessThanOrEqual(4 * roundoff);
  });

  it("completes the basis where nothing is left", () => {
    const vectors = Float64Array.of(0.6, 0.8, 0, -0.6, -0.8, 0, 0, 0, 0).map((x) =>
      single ? Math.fround(x) : x,
    );
    orthonormalise(vectors, 3, 3, single);
    const expected = [0.6, 0.8, 0, 0, 0, 1, 0.8, -0.6, 0];
    expect(greatestDifference(vectors, expected)).toBeLessThanOrEqual(4 * roundoff);
  });

  it("goes in their order and leaves what comes after them alone", () => {
    const vectors = Float64Array.of(1, 0, 0.6, 0.8, 7, 7);
    orthonormalise(vectors, 2, 2, single);
    expect(greatestDifference(vectors, [1, 0, 0, 1, 7, 7])).toBeLessThanOrEqual(roundoff);
  });
});
