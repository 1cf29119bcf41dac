import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hvp,
  logSoftmax,
  normalize,
  onesLike,
  randomNormal,
  softmax,
  tensor,
  vjp,
  zeros,
  type Tensor,
} from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";
import { runs } from "../../runs.js";

const u = 2 ** -24;

/** Rows of float32 numbers of very different sizes, the first one perhaps far from the others. */
const rows = fc
  .tuple(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.constantFrom(1, 1e3, 1e6),
    fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 2, maxLength: 40 }),
    fc.constantFrom(0, 7, 1000),
  )
  .map(([first, scale, rest, mean]) =>
    Float32Array.from([first, ...rest], (n, i) => (i === 0 ? 0 : mean) + (n / 1e6) * (i === 0 ? 1 : scale)),
  );

function expectNear(found: Tensor, exact: Tensor, units: number): void {
  const wanted = exact.values();
  found.values().forEach((value, i) => {
    expect(Math.abs(value - wanted[i]!), `element ${i}: ${value}, float64 ${wanted[i]}`).toBeLessThanOrEqual(
      units * u * (1 + Math.abs(wanted[i]!)),
    );
  });
}

describe("normalize", () => {
  test("in float32 is within 6u·(1 + |y|) of float64, wherever the mean lies", () => {
    fc.assert(
      fc.property(rows, (row) => {
        const x = tensor(row);
        expectNear(normalize(x), normalize(x.cast("float64")), 6);
      }),
      { numRuns: runs(300) },
    );
  });

  test("does not lose the mean of a long row to its first entry", () => {
    const row = Float32Array.from({ length: 4001 }, (_, i) => (i === 0 ? 0 : 1000 + ((i * 37) % 100) / 1000));
    expectNear(normalize(tensor(row)), normalize(tensor(row).cast("float64")), 6);
  });

  test("gives mean 0 and variance 1 along any axis", () => {
    const x = tensor([
      [1, 2, 4],
      [3, -1, 5],
    ]);
    const y = normalize(x, { axis: 0, eps: 0 });
    expect(y.toArray()).toEqual([
      [-1, 1, -1],
      [1, -1, 1],
    ]);
    expect(normalize(zeros([2, 0])).shape).toEqual([2, 0]);
    expect(() => normalize(tensor(1))).toThrow(/E_AXIS/);
  });
});

describe("softmax and logSoftmax", () => {
  test("in float32 are within 8u·(1 + |y|) of float64", () => {
    fc.assert(
      fc.property(rows, (row) => {
        const x = tensor(row).mul(0.01);
        for (const f of [softmax, logSoftmax]) expectNear(f(x), f(x.cast("float64")), 8);
      }),
      { numRuns: runs(200) },
    );
  });

  test("sum to one along any axis, and are each other's logarithm", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -700, max: 700 }), { minLength: 1, maxLength: 6 }), (list) => {
        const x = tensor(Float64Array.from(list)).unsqueeze(1).expand([list.length, 2]);
        const y = softmax(x, 0);
        for (const total of y.sum(0).values()) expect(total).toBeCloseTo(1, 12);
        const logs = logSoftmax(x, 0).values();
        y.values().forEach((value, i) => expect(Math.exp(logs[i]!)).toBeCloseTo(value, 12));
      }),
    );
  });

  test("huge logits lose nothing, and a row that is masked whole gives zeros", () => {
    expect(logSoftmax(tensor([1e8, 1e8])).values()[0]).toBeCloseTo(-Math.LN2, 6);
    expect(softmax([-Infinity, -Infinity]).toArray()).toEqual([0, 0]);
    expect(logSoftmax([-Infinity, -Infinity]).toArray()).toEqual([-Infinity, -Infinity]);
    expect(softmax([-Infinity, 3]).toArray()).toEqual([0, 1]);
    expect(softmax([NaN, 3]).toArray()).toEqual([NaN, NaN]);
    expect(softmax(zeros([0, 3]), 0).shape).toEqual([0, 3]);
  });
});

test.each(["float32", "float64"] as const)(
  "normalize, %s: a recorded backward pass gives the same bits as one that is not",
  (dtype) => {
    const f = (x: Tensor): Tensor => x.normalize().square().mul(x).sum();
    for (let seed = 0; seed < 300; seed++) {
      const x = randomNormal(generator(seed), [2, 1 + (seed % 9)], { dtype });
      const { value, pullback } = vjp(f, x);
      expect(hvp(f, [x], [x]).gradient[0]!.values()).toEqual(pullback(onesLike(value))[0]!.values());
    }
  },
);
