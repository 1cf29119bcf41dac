import fc from "fast-check";
import { describe, it } from "vitest";
import { keptWeights, type AttentionLayout, type HeadRows } from "../../../src/tensor/index.js";
import { expectSetsAgree, float32Array } from "./same-bits.js";

interface Sizes {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  readonly features: number;
  readonly width: number;
}

/** Row counts that meet every tail: nothing, one, odd ones, around vectors, more than one block of queries. */
const counts = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(31, 32, 33, 64, 65, 130, 300));

const sizes: fc.Arbitrary<Sizes> = fc.oneof(
  fc.record({
    batch: fc.integer({ min: 0, max: 2 }),
    heads: fc.integer({ min: 1, max: 3 }),
    queries: counts,
    keys: counts,
    features: fc.integer({ min: 1, max: 20 }),
    width: fc.integer({ min: 1, max: 20 }),
  }),
  fc.constantFrom(
    { batch: 1, heads: 1, queries: 3, keys: 5, features: 300, width: 270 },
    { batch: 1, heads: 1, queries: 2, keys: 4100, features: 2, width: 3 },
    { batch: 1, heads: 1, queries: 2, keys: 9000, features: 2, width: 3 },
  ),
);

/** Which pairs are hidden: by order of time, by flags broadcast along some axes. */
const masks = fc.record({
  causal: fc.boolean(),
  flags: fc.constantFrom(undefined, "pairs", "every pair", "keys", "queries", "all"),
  density: fc.constantFrom(0.1, 0.5, 0.95),
});

/** Heads one after the other, `[batch, heads, n, columns]`. */
const apart = ({ heads }: Sizes, n: number, columns: number): HeadRows => ({
  start: 0,
  batch: heads * n * columns,
  head: n * columns,
  row: columns,
});

/** Heads side by side in rows of `pitch`, from column `start` on. */
const inRows = (n: number, columns: number, pitch: number, start: number): HeadRows => ({
  start,
  batch: n * pitch,
  head: columns,
  row: pitch,
});

const stepsOf = (kind: string, { heads, queries, keys }: Sizes) =>
  ({
    pairs: { batch: 0, head: 0, row: keys, column: 1 },
    "every pair": { batch: heads * queries * keys, head: queries * keys, row: keys, column: 1 },
    keys: { batch: keys, head: 0, row: 0, column: 1 },
    queries: { batch: 0, head: queries, row: 1, column: 0 },
    all: { batch: 0, head: 0, row: 0, column: 0 },
  })[kind]!;

function flags(of: Sizes, kind: string, density: number, seed: number): Uint8Array {
  const steps = stepsOf(kind, of);
  const length =
    of.batch * steps.batch + of.heads * steps.head + of.queries * steps.row + of.keys * steps.column + 1;
  let state = seed | 0;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Number((state >>> 8) / 0x1000000 < density);
  });
}

const room = (of: Sizes, n: number, columns: number): number => of.batch * of.heads * n * columns;

describe.each([true, false])("attention kernels, weights kept: %s", (keep) => {
  it("both sets give the same bits, whatever is hidden and whatever it holds", () => {
    fc.assert(
      fc.property(
        sizes.chain((of) =>
          fc.record({
            of: fc.constant(of),
            masks,
            seed: fc.integer(),
            q: float32Array(room(of, of.queries, of.features)),
            k: float32Array(room(of, of.keys, of.features)),
            v: float32Array(room(of, of.keys, of.width)),
            g: float32Array(room(of, of.queries, of.width)),
          }),
        ),
        ({ of, masks: { causal, flags: kind, density }, seed, q, k, v, g }) => {
          const layout: AttentionLayout = {
            ...of,
            q: apart(of, of.queries, of.features),
            k: apart(of, of.keys, of.features),
            v: apart(of, of.keys, of.width),
            out: inRows(of.queries, of.width, of.heads * of.width, 0),
            mask: kind === undefined ? undefined : stepsOf(kind, of),
            causal,
          };
          const hidden = kind === undefined ? undefined : flags(of, kind, density, seed);
          expectSetsAgree(
            [q, k, v, g],
            [g.length, q.length, k.length, v.length],
            (kernels, [a, b, c, d], [out, dq, dk, dv]) => {
              const weights = keep ? new Float32Array(keptWeights(layout)) : undefined;
              const arrays = { q: a!, k: b!, v: c!, out: out!, hidden, weights };
              kernels.attention(layout, arrays);
              kernels.attentionBackward(layout, arrays, d!, { q: dq!, k: dk!, v: dv! });
            },
          );
        },
      ),
    );
  });

  it("reads and writes heads side by side in the rows of one array", () => {
    fc.assert(
      fc.property(
        sizes.chain(({ features: width, queries, ...rest }) => {
          const of = { ...rest, queries, keys: queries, features: width, width };
          return fc.record({
            of: fc.constant(of),
            causal: fc.boolean(),
            x: float32Array(3 * room(of, queries, width)),
            g: float32Array(room(of, queries, width)),
          });
        }),
        ({ of, causal, x, g }) => {
          const all = of.heads * of.width;
          const part = (i: number): HeadRows => inRows(of.keys, of.width, 3 * all, i * all);
          const layout: AttentionLayout = {
            ...of,
            q: part(0),
            k: part(1),
            v: part(2),
            out: inRows(of.queries, of.width, all, 0),
            mask: undefined,
            causal,
          };
          expectSetsAgree([x, g], [g.length, x.length], (kernels, [p, d], [out, dx]) => {
            const weights = keep ? new Float32Array(keptWeights(layout)) : undefined;
            const arrays = { q: p!, k: p!, v: p!, out: out!, hidden: undefined, weights };
            kernels.attention(layout, arrays);
            kernels.attentionBackward(layout, arrays, d!, { q: dx!, k: dx!, v: dx! });
          });
        },
      ),
    );
  });
});
