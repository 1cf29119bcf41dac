import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradients, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { attention, type MaskOptions } from "../../../src/nn/index.js";
import { composedAttention } from "../../../src/nn/attention/composed-attention.js";
import { generator } from "../../../src/random/index.js";
import { expectCorrectGradients, expectCorrectSecondDerivatives, normalLeaf } from "../gradient-law.js";
import { expectNear, expectSameBits } from "../near.js";

const shapes = fc.record({
  seed: fc.nat(),
  batch: fc.integer({ min: 1, max: 2 }),
  heads: fc.integer({ min: 1, max: 2 }),
  queries: fc.integer({ min: 1, max: 5 }),
  keys: fc.integer({ min: 1, max: 5 }),
  d: fc.integer({ min: 1, max: 4 }),
  width: fc.integer({ min: 1, max: 4 }),
});

interface Drawn {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** `[batch, heads, queries, keys]`, about half of it true. */
  readonly mask: Tensor;
}

function draw(
  of: typeof shapes extends fc.Arbitrary<infer S> ? S : never,
  dtype: "float32" | "float64",
): Drawn {
  const rng = generator(of.seed);
  const make = (...shape: number[]): Tensor =>
    tensor(rng.normals(shape.reduce((a, b) => a * b)), { dtype, shape, requiresGrad: true });
  const { batch, heads, queries, keys, d, width } = of;
  const mask = tensor(Uint8Array.from(rng.integers(batch * heads * queries * keys, 0, 2)), {
    shape: [batch, heads, queries, keys],
  });
  return {
    q: make(batch, heads, queries, d),
    k: make(batch, heads, keys, d),
    v: make(batch, heads, keys, width),
    mask,
  };
}

/** The same tensor with another value wherever `where` is true; a leaf. */
function filled(x: Tensor, where: Tensor, value: number): Tensor {
  const next = x.detach().where(where.logicalNot(), value);
  return tensor(next.values(), { shape: next.shape, requiresGrad: true });
}

/** Keys `[batch, heads, keys, 1]` that no query may look at. */
const unseen = (mask: Tensor): Tensor => mask.cast("int32").min(2).cast("bool").unsqueeze(3);

describe("attention", () => {
  it.each([true, false])("is its composed twin in float64, mask %s", (masked) => {
    fc.assert(
      fc.property(shapes, (of) => {
        const { q, k, v, mask } = draw(of, "float64");
        const attnMask = masked ? mask : undefined;
        const fused = attention(q, k, v, { attnMask });
        const composed = composedAttention(q, k, v, attnMask);
        expectNear(fused, composed, 1e-14);
        const cotangents = [tensor(generator(of.seed).normals(fused.size), { shape: fused.shape })];
        const found = gradients(fused, [q, k, v], { cotangents });
        const wanted = gradients(composed, [q, k, v], { cotangents });
        found.forEach((gradient, i) => expectNear(gradient!, wanted[i]!, 1e-13));
      }),
    );
  });

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

  it.each([NaN, Infinity, -Infinity])("changes no bit when an unseen key or value holds %s", (poison) => {
    fc.assert(
      fc.property(shapes, (of) => {
        const { q, k, v, mask } = draw(of, "float32");
        const results = [0, poison].map((value) => {
          const key = filled(k, unseen(mask), value);
          const other = filled(v, unseen(mask), value);
          const out = attention(q, key, other, { attnMask: mask });
          return [out, ...gradients(out.square().sum(), [q, key, other])] as Tensor[];
        }) as [Tensor[], Tensor[]];
        results[0].forEach((zero, i) => expectSameBits(results[1][i]!, zero));
      }),
    );
  });

  it("causal: what later keys and values hold, NaN too, changes no bit of earlier rows", () => {
    const { q, k, v } = draw({ seed: 5, batch: 2, heads: 2, queries: 4, keys: 4, d: 3, width: 3 }, "float32");
    const late = tensor([false, false, true, true]).reshape([4, 1]);
    const early = [null, null, [0, 2]] as const;
    const [clean, dirty] = [0, NaN].map((value) => {
      const out = attention(q, filled(k, late, value), filled(v, late, value), { causal: true }).slice(early);
      return [out, ...gradients(out.square().sum(), [q])].map((x) => x!.detach().slice(early));
    }) as [Tensor[], Tensor[]];
    clean.forEach((zero, i) => expectSameBits(dirty[i]!, zero));
    const seen = attention(q, k, filled(v, late, NaN), { causal: true });
    expect([...seen.slice([null, null, [2]]).values()].every(Number.isNaN)).toBe(true);
  });

  it.each<[string, MaskOptions]>([
    ["no mask", {}],
    ["causal", { causal: true }],
    [
      "a mask with a blind row",
      {
        attnMask: tensor([
          [true, true, true],
          [false, true, false],
          [false, false, false],
        ]),
      },
    ],
    ["padding", { keyPaddingMask: tensor([[false, true, false]]) }],
  ])("has correct first and second derivatives: %s", (_, masks) => {
    const q = normalLeaf("q", [1, 2, 3, 2]);
    const k = normalLeaf("k", [1, 2, 3, 2]);
    const v = normalLeaf("v", [1, 2, 3, 3]);
    expectCorrectGradients(() => attention(q, k, v, masks), [q, k, v]);
    expectCorrectSecondDerivatives(() => attention(q, k, v, masks), [q, k, v]);
  });

  it("joins all masks: hidden by one is hidden", () => {
    const { q, k, v } = draw({ seed: 1, batch: 2, heads: 1, queries: 3, keys: 3, d: 2, width: 2 }, "float32");
    const attnMask = tensor([
      [false, false, false],
      [true, false, false],
      [false, false, false],
    ]);
    const keyPaddingMask = tensor([
      [false, false, false],
      [false, true, false],
    ]);
    const joint = tensor([
      [
        [
          [false, true, true],
          [true, false, true],
          [false, false, false],
        ],
      ],
      [
        [
          [false, true, true],
          [true, true, true],
          [false, true, false],
        ],
      ],
    ]);
    expectSameBits(
      attention(q, k, v, { attnMask, keyPaddingMask, causal: true }),
      attention(q, k, v, { attnMask: joint }),
    );
  });

  it.each([
    ["E_SHAPE", () => attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 4]), zeros([1, 1, 2, 3]))],
    ["E_SHAPE", () => attention(zeros([1, 2, 3]), zeros([1, 2, 3]), zeros([1, 2, 3]))],
    [
      "E_DTYPE",
      () => attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3], { dtype: "float64" })),
    ],
    [
      "E_DTYPE",
      () =>
        attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), { attnMask: zeros([2, 2]) }),
    ],
    [
      "E_SHAPE",
      () =>
        attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), {
          attnMask: zeros([3, 2], { dtype: "bool" }),
        }),
    ],
    [
      "E_SHAPE",
      () =>
        attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), {
          keyPaddingMask: zeros([2], { dtype: "bool" }),
        }),
    ],
  ])("refuses what does not fit: %s", (code, run) => {
    expect(run).toThrowError(expect.objectContaining({ code }));
  });
});
