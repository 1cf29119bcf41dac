import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tensor, zeros, type Tensor } from "../../../../src/autograd/index.js";
import {
  largestRank,
  momentDrift,
  squaredNorms,
  squaredProjections,
} from "../../../../src/ideas/moment-rank2/evidence/state-figures.js";
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

describe("squaredNorms and squaredProjections", () => {
  const weight = [1, 2, 3, 4, 5, 6, 7, 8].map((w) => w / 4);
  it.each([
    ["", basis],
    ["with a weight", gridMoments({ rows: 8, columns: 8, weight: { rows: weight, columns: weight } })],
  ] as const)("are those of the differences and of what the projector makes of them %s", (_, grid) => {
    const own = new MomentProjector(grid);
    const draw = (name: string) =>
      tensor(
        generator("norms")
          .stream(name)
          .normals(3 * 64),
        { shape: [3, 8, 8] },
      );
    const [a, b] = [draw("a"), draw("b")];
    const norm = (x: Tensor): number[] => [...x.square().sum([-2, -1]).values()];
    const expectClose = (found: Float64Array, wanted: number[]): void => {
      expect(found).toHaveLength(3);
      // 64 squares added in another order: 64 roundings of what they add up to at most.
      wanted.forEach((value, i) => expect(Math.abs(found[i]! / value - 1)).toBeLessThan(64 * 2 ** -52));
    };
    expectClose(squaredNorms(a), norm(a));
    expectClose(squaredNorms(a, b), norm(a.sub(b)));
    expectClose(squaredProjections(own, a), norm(own.project(a)));
    expectClose(squaredProjections(own, a, b), norm(own.project(a.sub(b))));
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
    const full = [...withSpectrum(3, { rows: 8, columns: 8 }, [8, 7, 6, 5, 4, 3, 2, 1])];
    expect(largestRank(states([full, ...values]))).toBe(8);
    expect(largestRank(states([...values, full]))).toBe(8);
    expect(largestRank(states([full, new Array<number>(64).fill(Infinity)]))).toBeNaN();
  });
});
