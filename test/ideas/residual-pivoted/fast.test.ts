import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { scope } from "../../../src/autograd/index.js";
import {
  backwardBatch,
  forwardBatch,
  type BatchMask,
  type BatchPlan,
} from "../../../src/ideas/residual-pivoted/kernel/batch.js";
import { fastForward } from "../../../src/ideas/residual-pivoted/kernel/fast.js";
import type { ProblemSize } from "../../../src/ideas/residual-pivoted/kernel/points.js";
import {
  emptyTape,
  problemStates,
  problemTape,
  type Tape,
} from "../../../src/ideas/residual-pivoted/kernel/tape.js";
import { pivotLaws } from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";
import { kernels, reserve, stackTop, useKernels, type Floats } from "../../../src/tensor/index.js";
import { expectSameBits } from "../../tensor/kernels/same-bits.js";
import { runs } from "../../runs.js";

const before = kernels().name;
afterEach(() => useKernels(before));

interface Case {
  readonly size: ProblemSize;
  readonly problems: number;
  readonly rank: number;
  readonly plan: BatchPlan;
  readonly inputs: readonly Float32Array[];
  readonly cotangent: Float32Array;
}

const special = [0, -0, 1e-40, 1e20, -3e38, Infinity, -Infinity, NaN];

/** What goes wrong with the numbers of a case. */
const kinds = [
  "ordinary",
  "ordinary",
  "repeated",
  "special values",
  "special points",
  "special cotangents",
] as const;

const sizes = fc.record({
  queries: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 10, max: 70 })),
  keys: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 10, max: 70 })),
  width: fc.integer({ min: 1, max: 17 }),
  channels: fc.integer({ min: 1, max: 17 }),
});

const cases: fc.Arbitrary<Case> = fc
  .record({
    size: sizes,
    leading: fc.integer({ min: 1, max: 2 }),
    heads: fc.integer({ min: 1, max: 3 }),
    rank: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 34 })),
    ridge: fc.constantFrom(0, 0, 1e-3, 0.5, 1e-12),
    law: fc.constantFrom(...pivotLaws, "held" as const),
    spread: fc.constantFrom(0, 1e-3, 0.3, 1, 1, 3, 10, 40),
    offset: fc.constantFrom(0, 0, 100, -1e6),
    kind: fc.constantFrom(...kinds),
    masks: fc.constantFrom("none", "keys", "queries", "both"),
    seed: fc.nat(),
  })
  .map(({ size, leading, heads, rank, ridge, law, spread, offset, kind, masks, seed }) => {
    const rng = generator(seed);
    const problems = leading * heads;
    const { queries, keys, width, channels } = size;
    const salt = (x: Float32Array, share: number): Float32Array => {
      for (let i = 0; i < x.length; i++) {
        if (rng.uniform() < share) x[i] = special[rng.integer(0, special.length)]!;
      }
      return x;
    };
    const normals = (rows: number, wide: number, std: number, mean = 0): Float32Array => {
      const x = Float32Array.from(rng.normals(rows * wide, mean, std));
      if (kind === "repeated")
        for (let i = wide; i < x.length; i++) if (i % (3 * wide) >= wide) x[i] = x[i - wide]!;
      return x;
    };
    const points = kind === "special points" ? 0.003 : 0;
    const q = salt(normals(problems * queries, width, spread), points);
    const k = salt(normals(problems * keys, width, spread), points);
    const v = salt(normals(problems * keys, channels, 1, offset), kind === "special values" ? 0.05 : 0);
    const cotangent = normals(problems * queries, channels, 1);
    const mask = (tokens: number, wanted: boolean): BatchMask | undefined => {
      const off = rng.integer(0, 3) === 0 ? 0.95 : 0.3;
      const bools = Uint8Array.from({ length: leading * tokens }, () => (rng.uniform() < off ? 0 : 1));
      return wanted ? { rows: leading, tokens: bools } : undefined;
    };
    const uniforms = rng.uniforms(problems * rank);
    const held = new Int32Array(problems * rank).map((_, at) =>
      at % rank > rank * 0.8 ? -1 : rng.integer(0, Math.max(1, queries + keys)),
    );
    return {
      size,
      problems,
      rank,
      plan: {
        ridge,
        pivots: law === "held" ? { held } : { law, uniforms },
        queryMask: mask(queries, masks === "queries" || masks === "both"),
        keyMask: mask(keys, masks === "keys" || masks === "both"),
      },
      inputs: [q, k, v],
      cotangent: salt(cotangent, kind === "special cotangents" ? 0.05 : 0),
    };
  });

interface Result {
  readonly tape: Tape;
  readonly outputs: readonly (readonly [string, Floats])[];
}

/** The parts of a tape that mean something. */
function partsOf(tape: Tape): [string, Floats][] {
  const parts: [string, Floats][] = [];
  for (let p = 0; p < tape.problems; p++) {
    const own = problemTape(tape, p);
    const name = (what: string): string => `${what} of problem ${p}`;
    parts.push(
      [name("present"), Float32Array.from(own.points.present)],
      [name("points"), own.points.rows.slice()],
    );
    parts.push([name("squared norms"), own.points.squaredNorms.slice()]);
    if (tape.states[p] !== problemStates.ordinary) continue;
    const rank = tape.ranks[p]!;
    const rows = own.points.present.length;
    parts.push([name("columns"), own.columns.slice(0, rank * rows)]);
    parts.push([name("factor"), own.factor.slice(0, rank * rows)]);
    for (let s = 0; s < rank; s++) {
      parts.push([name(`lower ${s}`), own.lower.slice(s * tape.rank, s * tape.rank + s + 1)]);
    }
    parts.push([name("key weights"), own.keyWeights.slice()]);
    parts.push([name("exact"), Float32Array.from(own.exact)]);
    parts.push([name("mixed"), own.mixed.slice(0, rank * (tape.size.channels + 1))]);
    for (let i = 0; i < tape.size.queries; i++) {
      if (own.points.present[i] === 0) continue;
      parts.push([name(`normaliser ${i}`), own.normaliser.slice(i, i + 1)]);
      parts.push([name(`raw ${i}`), own.raw.slice(i * tape.size.channels, (i + 1) * tape.size.channels)]);
    }
  }
  return parts;
}

function run(
  { size, problems, rank, plan, inputs, cotangent }: Case,
  place: (x: Float32Array) => Float32Array,
): Result {
  const [q, k, v] = inputs.map(place) as [Float32Array, Float32Array, Float32Array];
  const filled = (length: number): Float32Array => place(new Float32Array(length).fill(NaN));
  const out = filled(problems * size.queries * size.channels);
  const stack = stackTop();
  const tape = forwardBatch(size, problems, rank, plan, { q, k, v }, out);
  const grads = { dq: filled(q.length), dk: filled(k.length), dv: filled(v.length) };
  backwardBatch(tape, v, place(cotangent), grads);
  expect(stackTop()).toBeGreaterThanOrEqual(stack);
  const copies = Object.entries({ out, ...grads }).map(([name, x]) => [name, x.slice()] as const);
  const flags = Object.entries({
    pivots: tape.pivots,
    ranks: tape.ranks,
    states: tape.states,
    floored: tape.floored,
    clamped: tape.clamped,
    counts: [tape.flooredCount, tape.clampedCount],
  }).map(([name, x]) => [name, Float64Array.from(x)] as const);
  return { tape, outputs: [...flags, ...partsOf(tape), ...copies] };
}

const onHeap = (x: Float32Array): Float32Array => x.slice();

function inArena(x: Float32Array): Float32Array {
  const copy = reserve("float32", x.length) as Float32Array;
  copy.set(x);
  return copy;
}

function expectSame(found: Result, wanted: Result, where: string): void {
  found.outputs.forEach(([name, x], i) => expectSameBits(x, wanted.outputs[i]![1], `${name} ${where}`));
  expect(found.outputs.length).toBe(wanted.outputs.length);
}

describe("the fast kernel", () => {
  test("gives the bits of the readable one", () => {
    const seen = { floored: 0, clamped: 0, empty: 0, notFinite: 0, short: 0 };
    fc.assert(
      fc.property(cases, (each) => {
        useKernels("reference");
        const wanted = run(each, onHeap);
        useKernels("simd");
        expectSame(run(each, onHeap), wanted, "on the heap");
        scope(() => expectSame(run(each, inArena), wanted, "in a scope"));
        const { tape } = wanted;
        seen.floored += tape.flooredCount;
        seen.clamped += tape.clampedCount;
        seen.empty += tape.states.filter((state) => state === problemStates.empty).length;
        seen.notFinite += tape.states.filter((state) => state === problemStates.notFinite).length;
        seen.short += tape.ranks.filter((rank) => rank > 0 && rank < tape.rank).length;
      }),
      { numRuns: runs(300) },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(5);
  });

  test("is not used in float64, for no problems, or when the readable kernels are asked for", () => {
    const size = { queries: 3, keys: 3, width: 2, channels: 2 };
    const plan: BatchPlan = { ridge: 0, pivots: { law: "greedy", uniforms: new Float64Array(4) } };
    const used = (problems: number, single: boolean): boolean => {
      const floats = (each: number): Floats =>
        single ? new Float32Array(problems * each) : new Float64Array(problems * each);
      const inputs = { q: floats(6), k: floats(6), v: floats(6) };
      return fastForward(emptyTape(size, problems, 2, single), plan, inputs, floats(6));
    };
    useKernels("simd");
    expect([used(2, true), used(2, false), used(0, true)]).toEqual([true, false, false]);
    useKernels("reference");
    expect(used(2, true)).toBe(false);
  });
});
