import { describe, expect, it } from "vitest";
import { noGrad, tensor, type Tensor } from "../../../src/autograd/index.js";
import { models } from "../../../src/bench/models/index.js";
import { residualPivoted } from "../../../src/ideas/residual-pivoted/index.js";
import type { ModelChange } from "../../../src/ideas/index.js";
import { generator } from "../../../src/random/index.js";
import { expectSameBits } from "../../nn/near.js";

const shape = { input: { kind: "text", steps: 40, features: 1, vocabulary: 11 }, outputs: 11 } as const;
const text = tensor(generator("text").integers(3 * 40, 0, 11), { shape: [3, 40, 1], dtype: "int32" });
const options = { ...residualPivoted.options, rank: 3, chunk: 4 };
const control = (name: string): ModelChange =>
  residualPivoted.controls!.find((each) => each.name === name)!.change(options, generator("idea"));

const changes: readonly (readonly [name: string, change: () => ModelChange])[] = [
  ["exact attention", () => ({})],
  ["residual-pivoted", () => residualPivoted.change(options, generator("idea"))],
  ["greedy pivots", () => control("greedy-pivots")],
];

describe("transformer_tiny on a text, a token at a time", () => {
  it.each(changes)("has the bits of the whole: %s", (_, change) => {
    const model = models.get("transformer_tiny")!.build(shape, generator("model"), change());
    const whole = noGrad(() => model.forward(text)).reshape([3, 40, 11]);
    const decoder = model.decoder!();
    for (let at = 0; at < 40; at++) {
      const token = (x: Tensor): Tensor => x.slice([null, [at, at + 1]]);
      const found = decoder.step(token(text));
      expectSameBits(found, token(whole).squeeze(1));
    }
    expect(decoder.tokens).toBe(40);
    expect(decoder.bytes).toBeGreaterThan(0);
  });

  it("is there for texts only, and refuses attention that cannot go a token at a time", () => {
    const series = { input: { kind: "series", steps: 5, features: 1 }, outputs: 1 } as const;
    const definition = models.get("transformer_tiny")!;
    expect(definition.build(series, generator(1), {}).decoder).toBeUndefined();
    const model = definition.build(shape, generator(1), control("mean-of-v"));
    expect(() => model.decoder!()).toThrow(/E_VALUE.*attentionDecoder/s);
  });
});
