import { expect } from "vitest";
import { eye, gradients, tensor, where, type Tensor } from "../../src/autograd/index.js";
import {
  attention,
  crossEntropy,
  Dropout,
  MultiHeadAttention,
  TransformerBlock,
  type AttentionOptions,
  type MaskOptions,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { expectSameBits, leafOf, numbers, rows, type Kind, type Place } from "./place.js";

const width = (at: Place): number => (at.copies === 1 ? 4 : 32);
const pattern = tensor([
  [false, true, false],
  [true, true, true],
  [false, false, true],
]);

/** Masks that hide every key from query 1 of 3, and key 1 from all but none. */
const hidesQuery: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  "attnMask [queries, keys]": () => pattern,
  "attnMask [1, 1, queries, keys]": () => pattern.reshape([1, 1, 3, 3]),
  "attnMask [batch, heads, queries, keys]": (x) => pattern.expand([x.shape[0]!, 2, 3, 3]),
  "attnMask [queries, 1]": () => tensor([[false], [true], [false]]),
};

interface Heads {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
}

const heads = (at: Place): Heads => {
  const shape = [2, 2, 3, width(at)];
  return {
    q: leafOf("q", shape, at.dtype),
    k: leafOf("k", shape, at.dtype),
    v: leafOf("v", shape, at.dtype),
  };
};

const zerosOnly = (x: Tensor): boolean => x.values().every((value) => value === 0);
const alone: Record<string, Partial<AttentionOptions>> = {
  attention: {},
  "attention with weigh": { weigh: (weights) => weights.mul(2).div(2) },
};

function blindQuery(options: Partial<AttentionOptions>, maskOf: (x: Tensor) => Tensor): (at: Place) => void {
  return (at) => {
    const { q, k, v } = heads(at);
    const attnMask = maskOf(q);
    const seeing = attention(q, k, v, {
      ...options,
      attnMask: pattern.logicalAnd([[true], [false], [true]]),
    });
    const out = attention(q, k, v, { ...options, attnMask });
    expect(zerosOnly(out.slice([null, null, 1]))).toBe(true);
    if (attnMask.size > 3)
      for (const row of [0, 2]) expectSameBits(out.slice([null, null, row]), seeing.slice([null, null, row]));
    const [g] = gradients(out.mul(numbers("g", out.shape, at.dtype)).sum(), [q, k, v], { createGraph: true });
    expect(zerosOnly(g!.slice([null, null, 1]))).toBe(true);
    for (const second of gradients(g!.square().sum(), [q, k, v]))
      expect(second!.values().every(Number.isFinite)).toBe(true);
  };
}

function allHidden(options: Partial<AttentionOptions>): (at: Place) => void {
  return (at) => {
    const { q, k, v } = heads(at);
    const keyPaddingMask = tensor([
      [true, true, true],
      [false, false, true],
    ]);
    for (const causal of [false, true]) {
      const out = attention(q, k, v, { ...options, keyPaddingMask, causal });
      expect(zerosOnly(out.slice([0]))).toBe(true);
      for (const g of gradients(out.mul(numbers("g", out.shape, at.dtype)).sum(), [q, k, v])) {
        expect(zerosOnly(g!.slice([0]))).toBe(true);
        expect(g!.values().every(Number.isFinite)).toBe(true);
      }
    }
  };
}

const layerOptions = (at: Place) => ({ rng: generator("masks"), dtype: at.dtype });

/** A model's output for the second of two series, when the first may look at nothing. */
function besideBlind(
  make: (at: Place, features: number) => (x: Tensor, masks?: MaskOptions) => Tensor,
): (at: Place) => void {
  return (at) => {
    const features = 2 * width(at);
    const model = make(at, features);
    const x = leafOf("x", [2, 3, features], at.dtype);
    const keyPaddingMask = tensor([
      [true, true, true],
      [false, false, false],
    ]);
    const out = model(x, { keyPaddingMask });
    expect(out.values().every(Number.isFinite)).toBe(true);
    expectSameBits(out.slice([1]), model(x).slice([1]));
    out.square().sum().backward();
    expect(x.grad!.values().every(Number.isFinite)).toBe(true);
  };
}

const multiHead = (at: Place, features: number) => {
  const layer = new MultiHeadAttention(features, 2, layerOptions(at));
  return (x: Tensor, masks?: MaskOptions): Tensor => layer.forward(x, masks);
};
const dropping = (at: Place, features: number) => {
  const layer = new MultiHeadAttention(features, 2, {
    ...layerOptions(at),
    dropout: { p: 0, rng: generator("drop") },
  });
  layer.onHeads = () => undefined;
  return (x: Tensor, masks?: MaskOptions): Tensor => layer.forward(x, masks);
};
const block = (at: Place, features: number) => {
  const layer = new TransformerBlock(features, { heads: 2, feedForward: 5, ...layerOptions(at) });
  return (x: Tensor, masks?: MaskOptions): Tensor => layer.forward(x, masks);
};

/** Puts a bad number in place of what is hidden. */
const spoiled = (x: Tensor, hidden: Tensor, bad: number): Tensor => where(hidden, bad, x);
const bads = [NaN, Infinity, -Infinity, 3e38];

function hiddenKeys(options: Partial<AttentionOptions>, masks: MaskOptions): (at: Place) => void {
  return (at) => {
    const { q, k, v } = heads(at);
    const run = (bad: number): Tensor[] => {
      const column = tensor([[false], [true], [false]]);
      const [key, value] = [k, v].map((x) => spoiled(x, column, bad)) as [Tensor, Tensor];
      const out = attention(q, key, value, { ...options, ...masks });
      return [out, ...gradients(out.square().sum(), [q, k, v]).map((g) => g!)];
    };
    const clean = run(0);
    for (const bad of bads) run(bad).forEach((x, i) => expectSameBits(x, clean[i]!));
  };
}

/** A model's other rows, when one that nobody looks at is bad. */
function besideBad(
  make: (at: Place, features: number) => (x: Tensor, masks?: MaskOptions) => Tensor,
): (at: Place) => void {
  return (at) => {
    const features = 2 * width(at);
    const model = make(at, features);
    const x = numbers("x", [2, 3, features], at.dtype);
    const masks = { keyPaddingMask: tensor([[false, true, false]]).expand([2, 3]) };
    const others = (bad: number): Tensor => {
      const out = model(spoiled(x, tensor([[false], [true], [false]]), bad), masks);
      return out.gather([0, 2], 1);
    };
    const clean = others(0);
    for (const bad of bads) expectSameBits(others(bad), clean);
  };
}

const keyMasks: Readonly<Record<string, MaskOptions>> = {
  attnMask: { attnMask: tensor([[false, true, false]]) },
  "attnMask by head": { attnMask: tensor([[false, true, false]]).expand([2, 1, 3]) },
  keyPaddingMask: { keyPaddingMask: tensor([[false, true, false]]).expand([2, 3]) },
  "keyPaddingMask and causal": {
    keyPaddingMask: tensor([[false, true, false]]).expand([2, 3]),
    causal: true,
  },
};

/** A function whose result must not depend on what stands where the mask is true. */
const ignores =
  (mask: Tensor, f: (x: Tensor) => Tensor) =>
  (at: Place): void => {
    const x = leafOf("entries", mask.shape, at.dtype);
    const run = (bad: number): Tensor[] => {
      const y = f(spoiled(x.abs().add(1), mask, bad));
      return [y, gradients(y.square().sum(), [x])[0]!];
    };
    const clean = run(0);
    for (const bad of bads) run(bad).forEach((y, i) => expectSameBits(y, clean[i]!));
  };

const eye3 = eye(3);
const upper = tensor([
  [false, true, true],
  [false, false, true],
  [false, false, false],
]);
const strictLower = upper.transpose();
const secondColumn = tensor([
  [false, true, false],
  [false, true, false],
]);

export const masks: Readonly<Record<string, Kind>> = {
  "attention-row-fully-masked": {
    kind: "attention of a query that may look at nothing: exactly 0, gradients 0, other rows as they were",
    subjects: {
      ...Object.fromEntries(
        Object.entries(alone).flatMap(([name, options]) => [
          ...Object.entries(hidesQuery).map(
            ([mask, of]) => [`${name}, ${mask}`, blindQuery(options, of)] as const,
          ),
          [`${name}, keyPaddingMask of a whole series, causal or not`, allHidden(options)] as const,
        ]),
      ),
      "attention without keys": (at) => {
        const q = leafOf("q", [1, 1, 2, width(at)], at.dtype);
        const k = leafOf("k", [1, 1, 0, width(at)], at.dtype);
        const out = attention(q, k, k);
        expect(zerosOnly(out)).toBe(true);
        out.sum().backward();
        expect(zerosOnly(q.grad!)).toBe(true);
      },
      "MultiHeadAttention beside a series that sees nothing": besideBlind(multiHead),
      "MultiHeadAttention by parts": besideBlind(dropping),
      "TransformerBlock beside a series that sees nothing": besideBlind(block),
      "softmax of a masked row": (at) => {
        const x = rows(at, [1, 2, 3]);
        const y = x.where(tensor([false, false, false]), -Infinity).softmax();
        expect(zerosOnly(y)).toBe(true);
        y.square().sum().backward();
        expect(zerosOnly(x.grad!)).toBe(true);
      },
      "crossEntropy of which every row is ignored": (at) => {
        const x = rows(at, [1, 2, 3]);
        const loss = crossEntropy(x, tensor(new Int32Array(at.copies).fill(-100)), { reduction: "sum" });
        expect(loss.item()).toBe(0);
        loss.backward();
        expect(zerosOnly(x.grad!)).toBe(true);
      },
    },
  },

  "masked-nan": {
    kind: "what is told to leave entries out: the same bits whatever stands there, in the value and in every gradient",
    subjects: {
      ...Object.fromEntries(
        Object.entries(alone).flatMap(([name, options]) =>
          Object.entries(keyMasks).map(
            ([mask, given]) => [`${name}, ${mask}`, hiddenKeys(options, given)] as const,
          ),
        ),
      ),
      "attention, causal: a later key changes no earlier query": (at) => {
        const { q, k, v } = heads(at);
        const last = tensor([[false], [false], [true]]);
        const before = (bad: number): Tensor => {
          const out = attention(q, spoiled(k, last, bad), spoiled(v, last, bad), { causal: true });
          return out.slice([null, null, [0, 2]]);
        };
        const clean = before(0);
        for (const bad of bads) expectSameBits(before(bad), clean);
      },
      "MultiHeadAttention, padding": besideBad(multiHead),
      "MultiHeadAttention by parts, padding": besideBad(dropping),
      "TransformerBlock, padding": besideBad(block),
      "crossEntropy, ignored rows": (at) => {
        const x = leafOf("logits", [3, 4], at.dtype);
        const targets = tensor(Int32Array.of(1, -100, 3));
        for (const options of [{}, { labelSmoothing: 0.1 }, { reduction: "none" as const }]) {
          const run = (bad: number): Tensor[] => {
            const loss = crossEntropy(spoiled(x, tensor([[false], [true], [false]]), bad), targets, options);
            return [loss, gradients(loss.sum(), [x])[0]!];
          };
          const clean = run(0);
          for (const bad of bads) run(bad).forEach((y, i) => expectSameBits(y, clean[i]!));
        }
      },
      "Dropout of all": (at) => {
        const drop = new Dropout({ p: 1, rng: generator("masks") });
        const x = rows(at, [NaN, Infinity, 1]);
        const y = drop.forward(x);
        expect(zerosOnly(y)).toBe(true);
        y.sum().backward();
        expect(zerosOnly(x.grad!)).toBe(true);
      },
      where: ignores(secondColumn, (x) => where(secondColumn, 0, x)),
      tril: ignores(upper, (x) => x.tril()),
      triu: ignores(strictLower, (x) => x.triu()),
      "tril below the diagonal": ignores(upper, (x) => x.tril(-1)),
      slice: ignores(secondColumn, (x) => x.slice([null, [0, null, 2]])),
      gather: ignores(secondColumn, (x) => x.gather([2, 0], 1)),
      split: ignores(secondColumn, (x) => x.split([1, 1, 1], 1)[2]!),
      scale: ignores(secondColumn, (x) => secondColumn.logicalNot().cast(x.dtype).scale(x)),
      "cholesky reads the lower triangle": ignores(upper, (x) =>
        x.add(tensor([5, 5, 5]).mul(eye3)).cholesky(),
      ),
      "solveTriangular, lower": ignores(upper, (x) =>
        x.solveTriangular(x.detach().mul(0).where(upper.logicalNot(), 1)),
      ),
      "solveTriangular, upper": ignores(strictLower, (x) =>
        x.solveTriangular(x.detach().mul(0).where(strictLower.logicalNot(), 1), { upper: true }),
      ),
    },
  },
};
