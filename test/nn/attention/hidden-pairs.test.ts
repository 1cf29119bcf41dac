import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradients, tensor, type Tensor } from "../../../src/autograd/index.js";
import { attention, Dropout, type AttentionOptions } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { normalLeaf } from "../gradient-law.js";
import { expectSameBits } from "../near.js";
import { draw, shapes } from "./draw.js";
import { runs } from "../../runs.js";

/** The same tensor with another value wherever `where` is true; a leaf. */
function filled(x: Tensor, where: Tensor, value: number): Tensor {
  const next = x.detach().where(where.logicalNot(), value);
  return tensor(next.values(), { shape: next.shape, requiresGrad: true });
}

/** The gradients of the sum of squares; recorded, also those of the sum of their squares. */
function derivatives(out: Tensor, inputs: readonly Tensor[], createGraph: boolean): Tensor[] {
  const first = gradients(out.square().sum(), inputs, { createGraph }) as Tensor[];
  if (!createGraph) return first;
  const total = first.map((gradient) => gradient.square().sum()).reduce((a, b) => a.add(b));
  return [...first.map((gradient) => gradient.detach()), ...(gradients(total, inputs) as Tensor[])];
}

/** Always the same places. */
function dropout(): AttentionOptions {
  const layer = new Dropout({ p: 0.3, rng: generator(4) });
  return { weigh: (weights) => layer.forward(weights) };
}

/** Keys `[batch, heads, keys, 1]` that no query may look at. */
const unseen = (mask: Tensor): Tensor => mask.cast("int32").min(2).cast("bool").unsqueeze(3);

describe("hidden pairs", () => {
  it("gives exactly 0 with gradients 0 where a query sees nothing, and leaves the other rows as they are", () => {
    fc.assert(
      fc.property(shapes, fc.nat(), (of, pick) => {
        const { q, k, v, mask } = draw(of, "float32");
        const row = pick % of.queries;
        const blind = tensor(
          Uint8Array.from({ length: of.queries }, (_, i) => (i === row ? 1 : 0)),
          {
            shape: [of.queries, 1],
          },
        );
        const open = attention(q, k, v, { attnMask: mask });
        const closed = attention(q, k, v, { attnMask: mask.logicalOr(blind) });
        const others = blind.logicalNot();
        expectSameBits(closed.detach().where(others, 7), open.detach().where(others, 7));
        expect([...closed.slice([null, null, row]).values()].every((x) => Object.is(x, 0))).toBe(true);
        closed.sum().backward();
        expect([...q.grad!.slice([null, null, row]).values()].every((x) => x === 0)).toBe(true);
        expect([...k.grad!.values(), ...v.grad!.values()].every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it("with every row blind has gradients 0 everywhere", () => {
    const [q, k, v] = [1, 2, 3].map((i) => normalLeaf(`${i}`, [1, 1, 2, 2])) as [Tensor, Tensor, Tensor];
    attention(q, k, v, {
      attnMask: tensor([
        [true, true],
        [true, true],
      ]),
    })
      .sum()
      .backward();
    for (const { grad } of [q, k, v]) expect([...grad!.values()].map(Math.abs)).toEqual([0, 0, 0, 0]);
  });

  describe.each<[string, boolean, () => AttentionOptions]>([
    ["fused", false, () => ({})],
    ["fused with a recorded backward pass", true, () => ({})],
    ["with dropout", false, dropout],
    ["with dropout and a recorded backward pass", true, dropout],
  ])("%s", (_, createGraph, options) => {
    it.each([NaN, Infinity, -Infinity])("changes no bit when an unseen key or value holds %s", (poison) => {
      fc.assert(
        fc.property(shapes, (of) => {
          const { q, k, v, mask } = draw(of, "float32");
          const results = [0, poison].map((value) => {
            const key = filled(k, unseen(mask), value);
            const other = filled(v, unseen(mask), value);
            const out = attention(q, key, other, { attnMask: mask, ...options() });
            return [out, ...derivatives(out, [q, key, other], createGraph)];
          }) as [Tensor[], Tensor[]];
          results[0].forEach((zero, i) => expectSameBits(results[1][i]!, zero));
        }),
        { numRuns: runs(50) },
      );
    });

    it("causal: what later keys and values hold, NaN too, changes no bit of earlier rows", () => {
      const of = { seed: 5, batch: 2, heads: 2, queries: 4, keys: 4, d: 3, width: 3 };
      const { q, k, v } = draw(of, "float32");
      const late = tensor([false, false, true, true]).reshape([4, 1]);
      const [clean, dirty] = [0, NaN].map((value) => {
        const key = filled(k, late, value);
        const other = filled(v, late, value);
        const out = attention(q, key, other, { causal: true, ...options() });
        const early = out.slice([null, null, [0, 2]]);
        const found = derivatives(early, [q], createGraph);
        return [early, ...found.map((x) => x.slice([null, null, [0, 2]]))].map((x) => x.detach());
      }) as [Tensor[], Tensor[]];
      clean.forEach((zero, i) => expectSameBits(dirty[i]!, zero));
      const seen = attention(q, k, filled(v, late, NaN), { causal: true });
      expect([...seen.slice([null, null, [2]]).values()].every(Number.isNaN)).toBe(true);
    });

    it.each([
      ["is NaN", [NaN, 0, 0]],
      ["sees a key of NaN", [0, NaN, 0]],
      ["sees a value of NaN", [0, 0, NaN]],
    ])(
      "gives a key and its value the same gradients when a query that may not look at them %s",
      (_case, at) => {
        const of = { seed: 6, batch: 2, heads: 1, queries: 3, keys: 3, d: 2, width: 2 };
        const { q, k, v } = draw(of, "float32");
        const attnMask = tensor([
          [false, false, true],
          [false, false, true],
          [true, true, false],
        ]);
        const apart = tensor([false, false, true]).reshape([3, 1]);
        const [clean, dirty] = [[0, 0, 0], at].map((values) => {
          const inputs = [q, k, v].map((x, i) => filled(x, apart, values[i]!)) as [Tensor, Tensor, Tensor];
          const out = (): Tensor => attention(...inputs, { attnMask, ...options() });
          return [out(), out().slice([null, null, [0, 2]])].flatMap((used) =>
            derivatives(used, inputs.slice(1), createGraph).map((x) => x.slice([null, null, [0, 2]])),
          );
        }) as [Tensor[], Tensor[]];
        clean.forEach((zero, i) => expectSameBits(dirty[i]!, zero));
      },
    );
  });

  it("changes no bit over more keys than one block of the sum, whatever a hidden one holds", () => {
    const of = { seed: 8, batch: 1, heads: 2, queries: 4, keys: 700, d: 2, width: 2 };
    const { q, k, v, mask } = draw(of, "float32");
    const place = tensor(Uint8Array.from({ length: 700 }, (_, i) => (i % 3 === 0 ? 1 : 0))).reshape([700, 1]);
    const attnMask = mask.logicalOr(place.reshape([1, 700]));
    const [clean, dirty] = [0, NaN].map((value) => {
      const [key, other] = [filled(k, place, value), filled(v, place, value)];
      const out = attention(q, key, other, { attnMask });
      return [out, ...derivatives(out, [q, key, other], false)];
    }) as [Tensor[], Tensor[]];
    clean.forEach((zero, i) => expectSameBits(dirty[i]!, zero));
  });

  it("changes no bit over more queries than one block of the sum, whatever a blind one holds", () => {
    const of = { seed: 9, batch: 2, heads: 1, queries: 700, keys: 4, d: 2, width: 2 };
    const { q, k, v, mask } = draw(of, "float32");
    const place = tensor(Uint8Array.from({ length: 700 }, (_, i) => (i % 3 === 0 ? 1 : 0))).reshape([700, 1]);
    const attnMask = mask.logicalOr(place);
    const [clean, dirty] = [0, NaN].map((value) => {
      const query = filled(q, place, value);
      const out = attention(query, k, v, { attnMask });
      return [out, ...derivatives(out, [query, k, v], false)];
    }) as [Tensor[], Tensor[]];
    clean.forEach((zero, i) => expectSameBits(dirty[i]!, zero));
  });

  it("hides what is hidden whatever the change to the weights makes of it", () => {
    const { q, k, v } = draw({ seed: 2, batch: 1, heads: 1, queries: 3, keys: 3, d: 2, width: 2 }, "float32");
    const weigh = (weights: Tensor): Tensor => weights.add(1);
    const late = tensor([false, true, true]).reshape([3, 1]);
    const [zero, ...others] = [0, 5, NaN].map((value) =>
      attention(q, k, filled(v, late, value), { causal: true, weigh })
        .slice([null, null, 0])
        .detach(),
    );
    for (const other of others) expectSameBits(other, zero!);
  });
});
