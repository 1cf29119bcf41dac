import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tensor, zeros } from "../../../../src/autograd/index.js";
import { largestRank, momentDrift } from "../../../../src/ideas/moment-rank2/evidence/state-figures.js";
import { gridMoments, MomentProjector } from "../../../../src/ideas/moment-rank2/index.js";
import { generator } from "../../../../src/random/index.js";
import { seeds, withSpectrum } from "../random-matrices.js";

const basis = gridMoments({ rows: 8, columns: 8 });
const projector = new MomentProjector(basis);

describe("momentDrift", () => {
  it("is measured in float64 between float32 states: 1e-15 at a norm of 1000", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        // Entries of about 125, the second state within a few last places of the first, as the layer leaves it.
        const first = Float32Array.from(generator(seed).normals(2 * 64), (x) => 125 * x);
        const wobble = generator(seed)
          .stream("wobble")
          .normals(2 * 64);
        const second = first.map((x, i) => x + 1e-5 * wobble[i]!);
        let drift = 0;
        for (let state = 0; state < 2; state++) {
          for (let k = 0; k < 4; k++) {
            let moment = 0;
            for (let i = 0; i < 64; i++) {
              const at = state * 64 + i;
              moment += basis.elements[k * 64 + i]! * (first[at]! - second[at]!);
            }
            drift = Math.max(drift, Math.abs(moment));
          }
        }
        const states = [first, second].map((x) => tensor(x, { shape: [2, 8, 8] }));
        expect(states[0]!.dtype).toBe("float32");
        expect(drift).toBeGreaterThan(1e-7);
        expect(Math.abs(momentDrift(projector, states[0]!, states[1]!) - drift)).toBeLessThan(1e-15);
      }),
    );
  });
});

describe("largestRank", () => {
  it("is the largest of the batch, 0 for zero, and NaN where a matrix is not finite", () => {
    const spectra = [[2, 1], [3, 2, 1, 0.5, 1e-7], [1]];
    const values = spectra.map((spectrum, seed) => [
      ...withSpectrum(seed, { rows: 8, columns: 8 }, spectrum),
    ]);
    const states = (rows: number[][]) => tensor(rows.flat(), { shape: [rows.length, 8, 8] });
    expect(largestRank(states(values))).toBe(4);
    expect(largestRank(zeros([2, 8, 8]))).toBe(0);
    expect(largestRank(states([...values, new Array<number>(64).fill(NaN)]))).toBeNaN();
    expect(largestRank(states([new Array<number>(64).fill(NaN), ...values]))).toBeNaN();
  });
});
