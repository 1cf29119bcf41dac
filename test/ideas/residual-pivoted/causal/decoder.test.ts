import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomNormal, type Tensor } from "../../../../src/autograd/index.js";
import {
  PivotedAttentionDecoder,
  refreshments,
  residualPivoted,
  residualPivotedAttention,
} from "../../../../src/ideas/residual-pivoted/index.js";
import { TransformerBlock } from "../../../../src/nn/index.js";
import { generator } from "../../../../src/random/index.js";
import { runs } from "../../../runs.js";
import { expectSameBits } from "../../../nn/near.js";
import { tokens } from "./problem.js";

const row = (x: Tensor, at: number): Tensor => x.slice([null, null, [at, at + 1]]);

describe("the causal form a token at a time", () => {
  test("has the bits of the full pass", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat().map(String),
          length: fc.integer({ min: 1, max: 40 }),
          chunk: fc.integer({ min: 1, max: 9 }),
          rank: fc.integer({ min: 1, max: 6 }),
          refresh: fc.constantFrom(...refreshments),
          pivots: fc.constantFrom("exp" as const, "greedy" as const, "uniform" as const),
          ridge: fc.constantFrom(0, 0.1),
          dtype: fc.constantFrom("float32" as const, "float64" as const),
        }),
        ({ seed, length, dtype, ...options }) => {
          const [q, k, v] = tokens(seed, [1, 2, length, 3], { dtype, channels: 2 });
          const rng = () => generator(seed);
          const whole = residualPivotedAttention(q, k, v, { ...options, causal: true, rng: rng() }).output;
          const decoder = new PivotedAttentionDecoder({ ...options, rng: rng() });
          for (let at = 0; at < length; at++) {
            expectSameBits(decoder.step(row(q, at), row(k, at), row(v, at)), row(whole, at));
          }
          expect(decoder.tokens).toBe(length);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test("remembers everything where pivots are chosen again, and else no more than of one chunk", () => {
    const [q, k, v] = tokens("bytes", [1, 1, 200, 3], { dtype: "float32" });
    const bytes = (refresh: (typeof refreshments)[number]): number[] => {
      const decoder = new PivotedAttentionDecoder({ refresh, chunk: 8, rank: 4, rng: generator(1) });
      return Array.from({ length: 200 }, (_, at) => {
        decoder.step(row(q, at), row(k, at), row(v, at));
        return decoder.bytes;
      });
    };
    const once = bytes("once");
    expect(once[199]).toBe(once[15]);
    const doubling = bytes("doubling");
    expect(doubling[199]! - doubling[99 - 4]!).toBe((199 - 95) * 9 * 4);
  });

  test("in a layer of the idea it is what the layer gives all at once", () => {
    const options = { ...residualPivoted.options, causal: true, chunk: 4, rank: 3 };
    const { attention, attentionDecoder } = residualPivoted.change(options, generator("idea"));
    const site = { layer: 1, causal: true };
    const block = new TransformerBlock(8, {
      heads: 2,
      feedForward: 4,
      rng: generator("block"),
      attention: (q, k, v) => attention!(q, k, v, site),
      attentionDecoder: () => attentionDecoder!(site),
    });
    const x = randomNormal(generator("x"), [2, 21, 8]);
    const whole = block.forward(x);
    const decoder = block.self_attn.decoder();
    for (let at = 0; at < 21; at++) {
      const here = (each: Tensor): Tensor => each.slice([null, [at, at + 1]]);
      expectSameBits(block.step(here(x), decoder), here(whole));
    }
  });

  test("refuses another batch and a missing generator", () => {
    const [q, k, v] = tokens("no", [1, 2, 2, 3]);
    const decoder = new PivotedAttentionDecoder({ rng: generator(1) });
    decoder.step(row(q, 0), row(k, 0), row(v, 0));
    const [p] = tokens("other", [2, 2, 1, 3]);
    expect(() => decoder.step(p, p, p)).toThrow(/E_SHAPE.*new decoder/s);
    expect(() => decoder.step(q, k, v)).toThrow(/E_SHAPE.*one token/s);
    expect(() => new PivotedAttentionDecoder()).toThrow(/E_VALUE.*generator/s);
  });
});
