import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grad, gradcheck, jvp, tensor, vjp, zeros, type Tensor } from "../../../../src/autograd/index.js";
import { PowerCounter, restorePowers } from "../../../../src/ideas/moment-rank2/index.js";
import { solveSmall } from "../../../../src/ideas/moment-rank2/power/solve-small.js";
import { generator } from "../../../../src/random/index.js";
import { runs } from "../../../runs.js";
import { distance, greatest, inner, normal, seeds } from "../random-matrices.js";

const counts = fc.integer({ min: 1, max: 4 });
const some = { numRuns: runs(15) };

/** h and a coarser x of the same spread, roughly: states of which all four means can be had. */
function pair(seed: number, shape: readonly number[] = [3, 40]): readonly [x: Tensor, h: Tensor] {
  const h = normal(seed, "h", shape);
  return [h.mul(0.8).add(normal(seed, "moved", shape).mul(0.3)), h];
}

const means = (x: Tensor, count: number): Tensor[] =>
  Array.from({ length: count }, (_, k) =>
    x
      .cast("float64")
      .pow(k + 1)
      .mean(-1),
  );

describe("restorePowers", () => {
  it("keeps the means of the first powers: float64 to 1e-11, float32 to 5e-7 for states within (−1, 1)", () => {
    fc.assert(
      fc.property(seeds, counts, (seed, count) => {
        const [x, h] = pair(seed);
        const found = means(restorePowers(x, h, { count }), count);
        means(h, count).forEach((mean, k) =>
          expect(distance(found[k]!, mean)).toBeLessThan(1e-11 * greatest(mean) + 1e-11),
        );
        const [y, bounded] = [x.tanh().cast("float32"), h.tanh().cast("float32")];
        const single = means(restorePowers(y, bounded, { count, fallback: "fewer" }), Math.min(count, 2));
        means(bounded, Math.min(count, 2)).forEach((mean, k) =>
          expect(distance(single[k]!, mean)).toBeLessThan(5e-7),
        );
      }),
      some,
    );
  });

  it("shifts for one mean, shifts and rescales for two, and leaves what has the means already", () => {
    const [x, h] = pair(1);
    const centred = (y: Tensor): Tensor => y.sub(y.mean(-1, { keepDims: true }));
    const spread = (y: Tensor): Tensor => centred(y).square().mean(-1, { keepDims: true }).sqrt();
    const mean = h.mean(-1, { keepDims: true });
    expect(distance(restorePowers(x, h, { count: 1 }), centred(x).add(mean))).toBeLessThan(1e-14);
    const rescaled = centred(x).mul(spread(h)).div(spread(x)).add(mean);
    expect(distance(restorePowers(x, h, { count: 2 }), rescaled)).toBeLessThan(1e-14);
    for (const count of [1, 2, 3, 4]) expect(distance(restorePowers(h, h, { count }), h)).toBeLessThan(1e-12);
  });

  it("gives equal entries equal values: a polynomial of degree count − 1", () => {
    const x = tensor([[1, 2, 3, 5, 8, 1, 2, 3, 5, 8]], { dtype: "float64" });
    const h = x.add(normal(3, "h", [1, 10]).mul(0.3));
    for (const count of [2, 3, 4]) {
      const values = restorePowers(x, h, { count }).values();
      expect([...values.slice(0, 5)]).toEqual([...values.slice(5)]);
      // Divided differences of order `count` of a polynomial of degree count − 1 vanish.
      let differences = [...values.slice(0, 5)];
      const points = [1, 2, 3, 5, 8];
      for (let order = 1; order <= count; order++)
        differences = differences
          .slice(1)
          .map((value, i) => (value - differences[i]!) / (points[i + order]! - points[i]!));
      expect(greatest(differences)).toBeLessThan(1e-12);
    }
  });

  it("knows no order of the entries: permuted entries give the permuted result", () => {
    fc.assert(
      fc.property(seeds, counts, (seed, count) => {
        const [x, h] = pair(seed);
        const order = tensor(generator(seed).stream("order").permutation(40));
        const permuted = (y: Tensor): Tensor => y.transpose().gather(order).transpose();
        const restored = restorePowers(permuted(x), permuted(h), { count });
        expect(distance(restored, permuted(restorePowers(x, h, { count })))).toBeLessThan(1e-10);
      }),
      some,
    );
  });

  it.each([1, 2, 3, 4])("has the gradient of differences in x and h: %i means", (count) => {
    const [x, h] = pair(7, [2, 12]);
    const f = (a: Tensor, b: Tensor): Tensor => restorePowers(a, b, { count });
    expect(gradcheck(f, [x, h], { tolerance: 1e-7 }).passed).toBe(true);
  });

  it("pulls back what it pushes, and is linear in the cotangent", () => {
    fc.assert(
      fc.property(seeds, counts, (seed, count) => {
        const [x, h] = pair(seed);
        const [v, w, g] = ["v", "w", "g"].map((name) => normal(seed, name, [3, 40]));
        const f = (a: Tensor, b: Tensor): Tensor => restorePowers(a, b, { count });
        const { tangent } = jvp(f, [x, h], [v!, w!]);
        const [gx, gh] = vjp(f, x, h).pullback(g!);
        const pulled = inner(gx!, v!) + inner(gh!, w!);
        expect(Math.abs(inner(tangent, g!) - pulled)).toBeLessThan(1e-9 * Math.max(1, Math.abs(pulled)));
      }),
      some,
    );
  });

  it("is finite, with its gradient, where entries are zero or equal on either side, in both types", () => {
    const ones = zeros([1, 9], { dtype: "float64" }).add(1);
    const spread = normal(1, "h", [1, 9]);
    const sides: [Tensor, Tensor][] = [
      [ones.mul(0), ones.mul(0)],
      [ones, ones],
      [ones, spread],
      [spread, ones],
      [spread.mul(0), spread],
    ];
    for (const [x, h] of sides) {
      for (const dtype of ["float64", "float32"] as const) {
        for (const count of [1, 2, 3, 4]) {
          const f = (a: Tensor, b: Tensor): Tensor => restorePowers(a, b, { count, fallback: "fewer" });
          const { value, pullback } = vjp(f, x.cast(dtype), h.cast(dtype));
          const [gx, gh] = pullback(spread.cast(dtype));
          expect(distance(value.mean(), h.mean())).toBeLessThan(1e-6);
          for (const g of [gx!, gh!]) expect(greatest(g)).toBeLessThan(1e3);
        }
      }
    }
    expect(greatest(restorePowers(ones.mul(0), ones.mul(0), { count: 4 }))).toBe(0);
  });

  it("says what cannot be kept, or keeps fewer and counts", () => {
    // Two values alone have the kurtosis 1; an image of them has no other.
    const x = tensor([[1, -1, 1, -1, 1, -1, 1, -1]], { dtype: "float64" });
    const h = normal(2, "h", [1, 8]);
    expect(() => restorePowers(x, h, { count: 4 })).toThrow(
      /E_NUMERIC.*first 4 means of row 0.*degree 3.*"fewer"/,
    );
    const counter = new PowerCounter();
    const kept = restorePowers(x, h, { count: 4, fallback: "fewer", counter });
    expect(distance(kept, restorePowers(x, h, { count: 2 }))).toBe(0);
    expect({ ...counter, rate: counter.rate }).toEqual({ rows: 1, fallbacks: 1, shifts: 0, rate: 1 });
    expect(() => restorePowers(x.mul(0), h, { count: 2 })).toThrow(/E_NUMERIC.*standard deviation of 0/);
    restorePowers(x.mul(0), h, { count: 2, fallback: "fewer", counter });
    restorePowers(x, x, { count: 2, fallback: "fewer", counter });
    expect({ ...counter }).toEqual({ rows: 3, fallbacks: 2, shifts: 1 });
    counter.reset();
    expect(counter.rate).toBe(0);
  });

  it("gives NaN for what is not finite, in its row alone", () => {
    const [x, h] = pair(4);
    const broken = h.add(tensor([[0], [NaN], [0]], { dtype: "float64" }));
    const values = restorePowers(x, broken, { count: 3, fallback: "fewer" }).toArray() as number[][];
    expect(values.map((row) => row.every(Number.isFinite))).toEqual([true, false, true]);
    expect(values[1]!.every(Number.isNaN)).toBe(true);
  });

  it("refuses other counts, shapes and types, and a second derivative", () => {
    const [x, h] = pair(1);
    for (const count of [0, 5, 1.5]) expect(() => restorePowers(x, h, { count })).toThrow(/E_VALUE.*1 to 4/);
    expect(() => restorePowers(x, h, { count: 2, fallback: "affine" as never })).toThrow(
      /E_VALUE.*throw, fewer/,
    );
    expect(() => restorePowers(x, h.slice([[0, 2]]), { count: 2 })).toThrow(/E_SHAPE.*one shape/);
    expect(() => restorePowers(x, h.cast("float32"), { count: 2 })).toThrow(/E_DTYPE.*one type/);
    expect(() => restorePowers(x.cast("int32"), h.cast("int32"), { count: 2 })).toThrow(/E_DTYPE.*int32/);
    const slope = grad((y: Tensor) => restorePowers(y, h, { count: 2 }).square().sum());
    expect(() => grad((y: Tensor) => slope(y).square().sum())(x)).toThrow(/E_SECOND_ORDER/);
  });
});

describe("solveSmall", () => {
  it("solves regular systems, whatever their order of rows, and says no of singular ones", () => {
    const b = Float64Array.of(5, 6, 3);
    expect(solveSmall(Float64Array.of(0, 2, 1, 1, 1, 0, 0, 0, 3), b, 3)).toBe(true);
    expect([...b]).toEqual([4, 2, 1]);
    expect(solveSmall(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 1), 2)).toBe(false);
    expect(solveSmall(Float64Array.of(NaN, 2, 2, 4), Float64Array.of(1, 1), 2)).toBe(false);
  });
});
