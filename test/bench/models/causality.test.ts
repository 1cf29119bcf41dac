import { describe, expect, test } from "vitest";
import { randomIntegers, tensor, type Tensor } from "../../../src/autograd/index.js";
import { models } from "../../../src/bench/models/index.js";
import type { ModelShape } from "../../../src/bench/models/model.js";
import { requireCausal } from "../../../src/bench/models/require-causal.js";
import { attention } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";

const shape: ModelShape = { input: { kind: "text", steps: 9, features: 1, vocabulary: 7 }, outputs: 7 };

describe.each([...models.keys()])("%s on text", (name) => {
  const build = () => models.get(name)!.build(shape, generator(1).stream("init"), {});
  const x = randomIntegers(generator(2), [3, 9, 1], 0, 7);

  test("answers for every position of every series, series after series", () => {
    const found = build().forward(x);
    expect(found.shape).toEqual([27, 7]);
    const second = build()
      .forward(x.slice([[1, 2]]))
      .values();
    expect(found.slice([[9, 18]]).values()).toEqual(second);
  });

  test("no answer moves by one bit when a later token changes, and the answer there does", () => {
    const model = build();
    const before = model.forward(x).values();
    for (const at of [1, 5, 8]) {
      const tokens = Int32Array.from(x.values());
      for (let series = 0; series < 3; series++) tokens[9 * series + at] = (tokens[9 * series + at]! + 1) % 7;
      const after = model.forward(tensor(tokens, { shape: [3, 9, 1] })).values();
      for (let row = 0; row < 27; row++) {
        const same = before
          .slice(7 * row, 7 * row + 7)
          .every((value, i) => Object.is(value, after[7 * row + i]));
        if (row % 9 < at) expect(same).toBe(true);
        if (row % 9 === at) expect(same).toBe(false);
      }
    }
  });
});

test("attention is told that it has to be causal on text, and only there", () => {
  const seen: unknown[] = [];
  const change = {
    attention: (q: Tensor, k: Tensor, v: Tensor, site: object) => {
      seen.push(site);
      return attention(q, k, v, { causal: true });
    },
  };
  const model = models.get("transformer_tiny")!;
  model.build(shape, generator(0), change).forward(randomIntegers(generator(2), [1, 9, 1], 0, 7));
  const tokens: ModelShape = { ...shape, input: { kind: "tokens", steps: 9, features: 1, vocabulary: 7 } };
  model.build(tokens, generator(0), change).forward(randomIntegers(generator(2), [1, 9, 1], 0, 7));
  expect(seen).toEqual([true, true, false, false].map((causal, at) => ({ layer: at % 2, causal })));
});

test("a change that sees later tokens is refused on text, one that does not is not", () => {
  expect(() => requireCausal(() => ({ attention: (q, k, v) => attention(q, k, v) }), "the idea x")).toThrow(
    /E_IDEA.*the idea x changes attention.*token 0 of 96 moves/,
  );
  requireCausal(() => ({ attention: (q, k, v, { causal }) => attention(q, k, v, { causal }) }));
  requireCausal(() => ({}));
});
