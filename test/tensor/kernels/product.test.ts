import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { kernelSets, type ProductLayout } from "../../../src/tensor/index.js";
import { expectSetsAgree, float32Array } from "./same-bits.js";
import { runs } from "../../runs.js";

/** Sizes that meet every tail of a tile of four or eight, and small ones. */
const size = fc.integer({ min: 0, max: 21 });

/** One, odd ones, and what needs more than one block of the sum. */
const inner = fc.oneof(size, fc.constantFrom(63, 255, 256, 257, 513));

const forms = fc.record({
  transposeA: fc.boolean(),
  transposeB: fc.boolean(),
  from: fc.constantFrom("zero" as const, "held" as const, "row" as const),
});

/** Draws stacks of matrices, each product picking its own pair from them: the same one twice too, as broadcasting does. */
function agree(sizes: fc.Arbitrary<{ m: number; n: number; k: number }>, count: number, cases: number): void {
  const drawn = fc
    .record({ sizes, forms, batch: fc.integer({ min: 0, max: count }), picks: fc.infiniteStream(fc.nat()) })
    .chain(({ sizes, forms, batch, picks }) =>
      fc.record({
        layout: fc.constant({
          ...sizes,
          ...forms,
          offsetsA: offsets(batch, count, sizes.m * sizes.k, picks),
          offsetsB: offsets(batch, count, sizes.k * sizes.n, picks),
        }),
        a: float32Array(count * sizes.m * sizes.k),
        b: float32Array(count * sizes.k * sizes.n),
        before: float32Array(batch * sizes.m * sizes.n),
        row: float32Array(sizes.n),
      }),
    );
  fc.assert(
    fc.property(drawn, ({ layout: { from, ...layout }, a, b, before, row }) => {
      expectSetsAgree([a, b, before, row], [before.length], (kernels, [x, y, z, start], [out]) => {
        if (from === "held") out!.set(z!);
        const begin = from === "row" ? { row: start! } : { accumulate: from === "held" };
        kernels.product({ ...layout, ...begin }, x!, y!, out!);
      });
    }),
    { numRuns: runs(cases) },
  );
}

function offsets(batch: number, count: number, matrix: number, picks: Iterator<number>): Int32Array {
  return Int32Array.from({ length: batch }, () => ((picks.next().value as number) % count) * matrix);
}

describe("product: both sets give the same bits", () => {
  it("of small matrices and stacks of them", () => {
    agree(fc.record({ m: size, n: size, k: size }), 3, 300);
  });

  it("of inner sizes beyond one block of the sum", () => {
    agree(fc.record({ m: size, n: size, k: inner }), 2, 200);
  });

  it("of up to three columns and many rows", () => {
    const m = fc.integer({ min: 16, max: 50 });
    agree(fc.record({ m, n: fc.integer({ min: 1, max: 4 }), k: inner }), 2, 150);
  });

  it("of sizes beyond the caches' blocks", () => {
    const large = fc.constantFrom(
      { m: 259, n: 13, k: 19 },
      { m: 261, n: 6, k: 257 },
      { m: 33, n: 301, k: 29 },
      { m: 1031, n: 3, k: 7 },
      { m: 2, n: 1031, k: 30 },
    );
    agree(large, 1, 30);
  });
});

const layout = (m: number, n: number, k: number): ProductLayout => ({
  m,
  n,
  k,
  transposeA: false,
  transposeB: false,
  offsetsA: Int32Array.of(0),
  offsetsB: Int32Array.of(0),
});

describe.each([...kernelSets.values()])("$name", (kernels) => {
  test("an empty sum is zero, or leaves what is there", () => {
    const out = new Float32Array(100).fill(7);
    kernels.product(
      { ...layout(10, 10, 0), accumulate: true },
      new Float32Array(0),
      new Float32Array(0),
      out,
    );
    expect(out).toEqual(new Float32Array(100).fill(7));
    kernels.product(layout(10, 10, 0), new Float32Array(0), new Float32Array(0), out);
    expect(out).toEqual(new Float32Array(100));
  });

  test("a sum of products that are −0 is +0", () => {
    const out = new Float32Array(100).fill(NaN);
    kernels.product(layout(10, 10, 3), new Float32Array(30).fill(-0), new Float32Array(30).fill(1), out);
    expect(out).toEqual(new Float32Array(100));
  });

  test("accumulating adds the blocks one after the other", () => {
    const [m, n, k] = [4, 8, 512];
    const a = new Float32Array(m * k).fill(1);
    const b = new Float32Array(k * n).fill(3 * 2 ** -8);
    const out = new Float32Array(m * n).fill(2 ** 24);
    kernels.product({ ...layout(m, n, k), accumulate: true }, a, b, out);
    // Each block is 3: 2²⁴ + 3 rounds to 2²⁴ + 4, and 2²⁴ + 7 to 2²⁴ + 8; both blocks at once would give 2²⁴ + 6.
    expect(out).toEqual(new Float32Array(m * n).fill(2 ** 24 + 8));
  });

  test("a row is what each row of the result begins with, the same bits as rows that are held", () => {
    const [m, n, k] = [300, 9, 300];
    const a = Float32Array.from({ length: m * k }, (_, i) => Math.sin(i));
    const b = Float32Array.from({ length: k * n }, (_, i) => Math.cos(3 * i));
    const row = Float32Array.from({ length: n }, (_, j) => 1000 * j - 4000);
    const held = Float32Array.from({ length: m * n }, (_, i) => row[i % n]!);
    kernels.product({ ...layout(m, n, k), accumulate: true }, a, b, held);
    const out = new Float32Array(m * n).fill(NaN);
    kernels.product({ ...layout(m, n, k), row }, a, b, out);
    expect(out).toEqual(held);
    expect(Math.abs(out[8]! - 4000)).toBeLessThan(100);
  });
});
