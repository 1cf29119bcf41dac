import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scope } from "../../../../src/autograd/index.js";
import { gridMoments, randomMoments } from "../../../../src/ideas/moment-rank2/index.js";
import {
  compress,
  type Compression,
  type Derivative,
  type Pull,
} from "../../../../src/ideas/moment-rank2/kernel/compression.js";
import { generator } from "../../../../src/random/index.js";
import { kernels, reserve, useKernels, type Floats } from "../../../../src/tensor/index.js";
import { expectSameBits } from "../../../tensor/kernels/same-bits.js";
import { seeds, withSpectrum } from "../random-matrices.js";
import { runs } from "../../../runs.js";

const square = { rows: 8, columns: 8 };
const gridElements = Float32Array.from(gridMoments(square).elements);

/** Spectra that decompositions trip over: zero, low rank, ties, values at and below the ends of float32. */
const spectra: readonly (readonly number[])[] = [
  [],
  [3],
  [2, 2],
  [2, 1, 1, 0.5],
  [1, 1, 1, 1, 1, 1, 1, 1],
  [1, 1e-4, 1e-8, 1e-12],
  [1e-20, 1e-30, 1e-38, 1e-44],
  [1e37, 1e20, 1, 1e-20],
  [3, 2, 1e-7, 1e-7, 1e-7],
];

/** Matrices, `[batch, 8, 8]`: random ones, given spectra, sparse ones with signed zeros, and some that are not finite. */
function someMatrices(seed: number, batch: number): Float32Array {
  const rng = generator(seed);
  const out = new Float32Array(64 * batch);
  for (let b = 0; b < batch; b++) {
    const stream = rng.stream(`matrix ${b}`);
    const values = stream.normals(64);
    const kind = stream.integer(0, 6);
    if (kind === 1)
      out.set(withSpectrum(seed + b, square, spectra[stream.integer(0, spectra.length)]!), 64 * b);
    else if (kind === 2)
      out.set(
        values.map((x) => (x > 0 ? x : x > -1 ? 0 : -0)),
        64 * b,
      );
    else if (kind === 3)
      out.set(
        values.map((x) => x * 2 ** stream.integer(-160, 128)),
        64 * b,
      );
    else if (kind === 4)
      out.set(
        values.map((x) => Math.sign(x)),
        64 * b,
      );
    else out.set(values, 64 * b);
    if (kind === 5 && stream.uniform() < 0.5)
      out[64 * b + stream.integer(0, 64)] = [NaN, Infinity, -Infinity][b % 3]!;
  }
  return out;
}

const compressions = fc
  .record({
    rank: fc.integer({ min: 1, max: 8 }),
    ofRemainder: fc.boolean(),
    count: fc.constantFrom(-1, 0, 1, 4, 7),
    seed: seeds,
  })
  .map(({ rank, ofRemainder, count, seed }): Compression => {
    if (count === 0) return { ...square, rank, ofRemainder, count, elements: new Float32Array(0) };
    const basis = count < 0 ? gridMoments(square) : randomMoments(generator(seed), { ...square, count });
    return { ...square, rank, ofRemainder, count: basis.count, elements: Float32Array.from(basis.elements) };
  });

const pulls = fc.record<Pull>({
  derivative: fc.constantFrom<Derivative>(1, 8, 1.1, Infinity, "tangent", "straight-through"),
  before: fc.boolean(),
  after: fc.boolean(),
});

interface Results {
  readonly out: Floats;
  readonly s: Floats;
  readonly pulled: Floats;
}

function run(
  set: string,
  place: (x: Float32Array) => Float32Array,
  compression: Compression,
  data: Float32Array[],
  pull: Pull,
): Results {
  const before = kernels().name;
  useKernels(set);
  try {
    const [h, g, out, pulled] = data.map(place);
    const { s, k, pull: apply } = compress(compression, h!, out!);
    expect(k).toBe(8);
    useKernels(before);
    apply(g!, pull, pulled!);
    expectSameBits(h!, data[0]!, "the matrices were written to");
    expectSameBits(g!, data[1]!, "the cotangents were written to");
    return { out: out!.slice(), s: s.slice(), pulled: pulled!.slice() };
  } finally {
    useKernels(before);
  }
}

describe("compress", () => {
  it("gives the same bits with both sets of kernels, on the heap and in a scope", () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 1, max: 9 }),
        compressions,
        pulls,
        (seed, batch, compression, pull) => {
          const empty = new Float32Array(64 * batch).fill(NaN);
          const data = [
            someMatrices(seed, batch),
            new Float32Array(generator(seed).normals(64 * batch)),
            empty,
            empty,
          ];
          const expected = run("reference", (x) => x.slice(), compression, data, pull);
          const placed = (x: Float32Array): Float32Array => {
            const copy = reserve("float32", x.length) as Float32Array;
            copy.set(x);
            return copy;
          };
          for (const actual of [
            run("simd", (x) => x.slice(), compression, data, pull),
            scope(() => run("simd", placed, compression, data, pull)),
          ]) {
            expectSameBits(actual.s, expected.s, "singular values");
            expectSameBits(actual.out, expected.out, "C(H)");
            expectSameBits(actual.pulled, expected.pulled, "the gradient");
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("gives each matrix the bits that it has alone, whatever stands beside it", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 2, max: 9 }), compressions, (seed, batch, compression) => {
        const h = someMatrices(seed, batch);
        const g = new Float32Array(generator(seed).normals(64 * batch));
        const pull: Pull = { derivative: 8, before: true, after: true };
        const of = (from: number, to: number): Results =>
          run(
            "simd",
            (x) => x.slice(),
            compression,
            [h, g, h, g].map((x) => x.slice(64 * from, 64 * to)),
            pull,
          );
        const whole = of(0, batch);
        for (let b = 0; b < batch; b++) {
          const alone = of(b, b + 1);
          expectSameBits(whole.out.slice(64 * b, 64 * b + 64), alone.out, `C(H) of matrix ${b}`);
          expectSameBits(
            whole.pulled.slice(64 * b, 64 * b + 64),
            alone.pulled,
            `the gradient of matrix ${b}`,
          );
        }
      }),
    );
  });

  it("works on batches longer than one call takes", () => {
    const batch = 4099;
    const h = new Float32Array(generator(5).normals(64 * batch));
    const compression = { ...square, rank: 2, ofRemainder: true, count: 4, elements: gridElements };
    const pull: Pull = { derivative: 8, before: true, after: true };
    const of = (from: number): Results => {
      const part = h.slice(64 * from);
      return run("simd", (x) => x.slice(), compression, [part, part, part, part], pull);
    };
    const [whole, end] = [of(0), of(4096)];
    expectSameBits(whole.out.slice(64 * 4096), end.out, "C(H)");
    expectSameBits(whole.s.slice(8 * 4096), end.s, "singular values");
    expectSameBits(whole.pulled.slice(64 * 4096), end.pulled, "the gradient");
  });
});
