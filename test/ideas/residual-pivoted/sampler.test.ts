import { describe, expect, test } from "vitest";
import { tensor } from "../../../src/autograd/index.js";
import {
  chooseAcceleratedPivots,
  proposalsFor,
  type DrawnLaw,
} from "../../../src/ideas/residual-pivoted/kernel/accelerated-pivots.js";
import { choosePivots } from "../../../src/ideas/residual-pivoted/kernel/choose-pivots.js";
import type { Points } from "../../../src/ideas/residual-pivoted/kernel/points.js";
import { startResidual, type Residual } from "../../../src/ideas/residual-pivoted/kernel/residual.js";
import { pointsOf, randomProblem } from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import { residualPivotedAttention } from "../../../src/ideas/residual-pivoted/index.js";
import { dustTolerance } from "../../../src/ideas/residual-pivoted/settings.js";
import { generator, type Generator } from "../../../src/random/index.js";
import { binomialRange } from "../../../src/stats/index.js";
import { eliminated, exponentialKernel, lawOf, type Matrix } from "./plain-elimination.js";
import { runs } from "../../runs.js";

const size = { queries: 3, keys: 3, width: 2, channels: 1 };
const rank = 3;
const problem = randomProblem(size, false, 1.2, generator("small"));
const points = pointsOf(problem);
const rowsOf = (values: ArrayLike<number>, columns: number): Matrix =>
  Array.from({ length: values.length / columns }, (_, i) =>
    Array.from(values).slice(i * columns, (i + 1) * columns),
  );
const kernel = exponentialKernel({ q: rowsOf(problem.q, 2), k: rowsOf(problem.k, 2), v: [] });

/** The probability of every sequence of pivots, by the definition. */
function lawOfSequences(law: DrawnLaw): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const follow = (left: Matrix, path: readonly number[], probability: number): void => {
    if (path.length === rank) return void found.set(path.join(","), probability);
    lawOf(law, kernel, left).forEach((share, row) => {
      if (share > 0) follow(eliminated(left, row), [...path, row], probability * share);
    });
  };
  follow(kernel, [], 1);
  return found;
}

function start(own: Points, capacity: number): Residual {
  const { single, present, squaredNorms: logWeights } = own;
  return startResidual({ single, capacity, present, logWeights, tolerance: dustTolerance(capacity, single) });
}

type Draw = (law: DrawnLaw, rng: Generator) => Int32Array;

const accelerated =
  (accepts?: Parameters<typeof chooseAcceleratedPivots>[7]): Draw =>
  (law, rng) => {
    const pivots = new Int32Array(rank);
    const [columns, mass] = [new Float64Array(rank * 6), new Float64Array(6)];
    chooseAcceleratedPivots(points, start(points, rank), law, rng, pivots, columns, mass, accepts);
    return pivots;
  };

const plain: Draw = (law, rng) => {
  const pivots = new Int32Array(rank);
  const [columns, mass] = [new Float64Array(rank * 6), new Float64Array(6)];
  choosePivots(points, start(points, rank), { law, uniforms: rng.uniforms(rank) }, pivots, columns, mass);
  return pivots;
};

const draws = 8000 * Math.max(1, Math.round(runs(1)));

/** The sequences whose frequency lies outside a family-wise 99 % range. */
function outside(law: DrawnLaw, draw: Draw): string[] {
  const wanted = lawOfSequences(law);
  const seen = new Map<string, number>();
  const rng = generator(`frequencies ${law}`);
  for (let i = 0; i < draws; i++) {
    const path = draw(law, rng).join(",");
    seen.set(path, (seen.get(path) ?? 0) + 1);
  }
  const coverage = 1 - 0.01 / wanted.size;
  return [...new Set([...wanted.keys(), ...seen.keys()])].filter((path) => {
    const p = wanted.get(path) ?? 0;
    const count = seen.get(path) ?? 0;
    if (p === 0) return count > 0;
    const [low, high] = binomialRange(draws, p, coverage);
    return count < low || count > high;
  });
}

describe("the accelerated sampler", () => {
  test("the enumerated law is one", () => {
    for (const law of ["exp", "gaussian", "uniform"] as const) {
      const all = [...lawOfSequences(law).values()].reduce((sum, p) => sum + p, 0);
      expect(all).toBeCloseTo(1, 12);
    }
  });

  test.each(["exp", "gaussian", "uniform"] as const)(
    "draws every sequence of pivots as often as the law says, and as the plain sampler does: %s",
    (law) => {
      expect(outside(law, accelerated())).toEqual([]);
      expect(outside(law, plain)).toEqual([]);
    },
  );

  test("without its rejections it does not, nor when it takes by position", () => {
    expect(
      outside(
        "exp",
        accelerated((left) => left > 0),
      ).length,
    ).toBeGreaterThan(3);
    expect(
      outside(
        "gaussian",
        accelerated((left, before) => left > 0.5 * before),
      ).length,
    ).toBeGreaterThan(3);
  });

  test.each([true, false])(
    "leaves the same factor and columns as the plain one with the same pivots (single: %s)",
    (single) => {
      const large = pointsOf(
        randomProblem({ queries: 700, keys: 500, width: 6, channels: 1 }, single, 1, generator(2)),
      );
      const capacity = 24;
      expect(proposalsFor(capacity)).toBeLessThan(capacity);
      const arrays = () => {
        const floats = (length: number) => (single ? new Float32Array(length) : new Float64Array(length));
        return {
          pivots: new Int32Array(capacity).fill(-1),
          columns: floats(capacity * 1200),
          mass: new Float64Array(1200),
        };
      };
      const [found, wanted] = [arrays(), arrays()];
      const residual = start(large, capacity);
      const reached = chooseAcceleratedPivots(
        large,
        residual,
        "exp",
        generator(3),
        found.pivots,
        found.columns,
        found.mass,
      );
      expect(reached).toBe(capacity);
      const other = start(large, capacity);
      choosePivots(large, other, { held: found.pivots }, wanted.pivots, wanted.columns, wanted.mass);
      expect(wanted.pivots).toEqual(found.pivots);
      expect(residual.factor).toEqual(other.factor);
      expect(residual.diagonal).toEqual(other.diagonal);
      expect(found.columns).toEqual(wanted.columns);
    },
  );

  test("stops when nothing is left, takes no masked row, and is what its pivots give when held", () => {
    const rows = (seed: string, count: number) =>
      tensor(generator(seed).normals(2 * count * 3), { shape: [2, count, 3], dtype: "float32" });
    const same = rows("x", 1).expand([2, 9, 3]);
    const rng = () => generator(4);
    const exhausted = residualPivotedAttention(same, same, same, {
      rank: 6,
      sampler: "accelerated",
      rng: rng(),
    });
    expect([...exhausted.statistics.ranks].every((reached) => reached <= 2)).toBe(true);
    const [q, k, v] = [rows("q", 9), rows("k", 9), rows("v", 9)];
    const keyMask = tensor(
      Uint8Array.from({ length: 9 }, (_, i) => (i < 4 ? 1 : 0)),
      { shape: [1, 9], dtype: "bool" },
    ).expand([2, 9]);
    const masked = residualPivotedAttention(q, k, v, {
      rank: 13,
      sampler: "accelerated",
      keyMask,
      rng: rng(),
    });
    const { pivots } = masked.statistics;
    expect(pivots.every((row) => row < 13)).toBe(true);
    const held = residualPivotedAttention(q, k, v, { rank: 13, keyMask, held: pivots });
    expect(held.output.values()).toEqual(masked.output.values());
  });
});
