import { expect } from "vitest";
import {
  gradients,
  maximum,
  minimum,
  tensor,
  zeros as zerosOf,
  type Tensor,
} from "../../src/autograd/index.js";
import {
  Adam,
  AdamW,
  clipGradNorm,
  huberLoss,
  l1Loss,
  LayerNorm,
  mseLoss,
  SGD,
  TransformerBlock,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { dz, pairCorrelation, pairedT, populationStd, sampleStd, tInterval } from "../../src/stats/index.js";
import { expectRowGradient, expectRows, numbers, rows, type Kind, type Place } from "./place.js";

const none = [0, 0, 0];
/** A function whose gradient at a row is 0 exactly. */
const flat =
  (f: (x: Tensor) => Tensor, row: readonly number[] = none) =>
  (at: Place): void =>
    expectRowGradient(
      at,
      f,
      row,
      row.map(() => 0),
      0,
    );
const gives =
  (f: (x: Tensor) => Tensor, row: readonly number[], wanted: readonly number[]) =>
  (at: Place): void =>
    expectRowGradient(at, f, row, wanted);
const lossAtTarget =
  (loss: typeof mseLoss) =>
  (at: Place): void => {
    const x = rows(at, [1, 2]);
    const value = loss(x, x.detach(), { reduction: "sum" });
    expect(value.item()).toBe(0);
    value.backward();
    expectRows(x.grad, [0, 0], at, 0);
  };
/** A step of an optimizer with a gradient of zeros leaves the parameters as they are. */
const still =
  (make: (x: Tensor) => { step(): void }) =>
  (at: Place): void => {
    const x = rows(at, [1, -2, 0]);
    x.grad = zerosOf(x.shape, { dtype: at.dtype });
    const optimizer = make(x);
    for (let step = 0; step < 3; step++) optimizer.step();
    expectRows(x, [1, -2, 0], at, 0);
  };

const constants = [3, 1234, -1e30, 1e-30, 0.1];
/** Cotangents that are all different. */
const uneven = (y: Tensor): Tensor => y.mul(numbers("spread", y.shape).cast(y.dtype));

/** Zero spread: the value is 0 and so is the gradient of a function of it, for constant rows of any size. */
const spreadless =
  (f: (x: Tensor) => Tensor, after = uneven) =>
  (at: Place): void => {
    for (const c of constants) {
      for (const length of [2, 3, 5, 16, 100]) {
        const x = rows(at, new Array<number>(length).fill(c));
        const y = f(x);
        expect(
          y.values().every((value) => value === 0),
          `${length} times ${c}`,
        ).toBe(true);
        after(y).sum().backward();
        expect(
          x.grad!.values().every((value) => value === 0),
          `gradient of ${length} times ${c}`,
        ).toBe(true);
      }
    }
  };

const scalarPower =
  (base: number, exponent: number, value: number, slope: number) =>
  (at: Place): void => {
    expectRows(rows(at, [base]).pow(exponent), [value], at);
    expectRowGradient(at, (x) => x.pow(exponent), [base], [slope]);
  };
const exponentSlope =
  (base: number, exponent: number, slope: number) =>
  (at: Place): void =>
    expectRowGradient(at, (b) => tensor(base).cast(at.dtype).pow(b), [exponent], [slope]);
const secondSlope =
  (f: (x: Tensor) => Tensor, base: number, wanted: number) =>
  (at: Place): void => {
    const x = rows(at, [base]);
    const [first] = gradients(f(x).sum(), [x], { createGraph: true });
    expectRows(gradients(first!.sum(), [x])[0], [wanted], at);
  };

export const zeros: Readonly<Record<string, Kind>> = {
  "norm-at-zero": {
    kind: "lengths, distances and steps that divide by a size: at size 0 the gradient is 0, not 0/0",
    subjects: {
      norm: flat((x) => x.norm(1)),
      "norm of all axes": flat((x) => x.norm()),
      "norm over an inner axis": flat((x) => x.unsqueeze(-1).norm(1)),
      "norm of denormals": gives((x) => x.div(1e20).div(1e18).norm(1).mul(1e38), [3, 4], [0.6, 0.8]),
      std: flat((x) => x.std(1)),
      normalize: flat((x) => x.normalize()),
      "normalize without eps": (at) => {
        const y = rows(at, none).normalize({ eps: 1e-12 });
        expectRows(y, none, at, 0);
      },
      LayerNorm: (at) => {
        const layer = new LayerNorm(3, { dtype: at.dtype });
        expectRowGradient(at, (x) => layer.forward(x), none, none, 0);
        expect(layer.weight!.grad!.values().every((g) => g === 0)).toBe(true);
      },
      abs: flat((x) => x.abs()),
      sign: flat((x) => x.sign()),
      "mseLoss at its target": lossAtTarget(mseLoss),
      "l1Loss at its target": lossAtTarget(l1Loss),
      "huberLoss at its target": lossAtTarget(huberLoss),
      "clipGradNorm of zeros": (at) => {
        const x = rows(at, none);
        x.grad = zerosOf(x.shape, { dtype: at.dtype });
        expect(clipGradNorm([x], 1)).toBe(0);
        expectRows(x.grad, none, at, 0);
        clipGradNorm([x], 0);
        expectRows(x.grad, none, at, 0);
      },
      "Adam without a gradient": still((x) => new Adam([x])),
      "AdamW without decay": still((x) => new AdamW([x], { weightDecay: 0 })),
      "SGD with momentum": still((x) => new SGD([x], { lr: 1, momentum: 0.9 })),
      "TransformerBlock on zeros": (at) => {
        const block = new TransformerBlock(4, {
          heads: 2,
          feedForward: 3,
          rng: generator("z"),
          dtype: at.dtype,
        });
        const x = zerosOf([at.copies, 2, 4], { dtype: at.dtype, requiresGrad: true });
        block.forward(x).sum().backward();
        expect(x.grad!.values().every(Number.isFinite)).toBe(true);
        for (const { grad } of block.parameters()) expect(grad!.values().every(Number.isFinite)).toBe(true);
      },
      "effect size of zeros": () => {
        expect(dz([0, 0, 0])).toBe(0);
        expect(pairedT([0, 0, 0])).toEqual({ t: 0, df: 2, p: 1 });
        expect(tInterval([0, 0, 0])).toEqual([0, 0]);
      },
    },
  },

  "max-ties": {
    kind: "what chooses a winner or has a kink: at a tie the parts sum to one cotangent, by the documented rule",
    subjects: {
      max: gives((x) => x.max(1), [1, 1, 0], [0.5, 0.5, 0]),
      min: gives((x) => x.min(1), [1, 0, 0], [0, 0.5, 0.5]),
      "max of all": (at) => {
        const x = rows(at, [1, 1, 0]);
        x.max().backward();
        expectRows(x.grad, [0.5 / at.copies, 0.5 / at.copies, 0], at);
      },
      "max over two axes": gives(
        (x) => x.unsqueeze(1).expand([x.shape[0]!, 2, 3]).max([1, 2]),
        [1, 1, 0],
        [0.5, 0.5, 0],
      ),
      "max of ties of −0 and 0": gives((x) => x.max(1), [0, -0, -1], [0.5, 0.5, 0]),
      "max of ties of ∞": gives((x) => x.max(1), [Infinity, Infinity, 0], [0.5, 0.5, 0]),
      "max of ties of NaN": gives((x) => x.max(1), [NaN, 5, NaN], [0.5, 0, 0.5]),
      "second use of max": gives((x) => x.max(1).mul(x.max(1)).mul(0.5), [2, 2, 0], [1, 1, 0]),
      "maximum(a, a)": gives((x) => maximum(x, x), [1, 2], [1, 1]),
      "minimum(a, a)": gives((x) => minimum(x, x), [1, 2], [1, 1]),
      "maximum at a tie": gives((x) => maximum(x, 1), [1, 2, 0], [0.5, 1, 0]),
      "minimum at a tie": gives((x) => minimum(x, 1), [1, 2, 0], [0.5, 0, 1]),
      "maximum with a shared operand": (at) => {
        const x = rows(at, [1, 1, 0]);
        const one = tensor(1, { dtype: at.dtype, requiresGrad: true });
        maximum(x, one).sum().backward();
        expectRows(x.grad, [0.5, 0.5, 0], at);
        expect(one.grad!.item()).toBe(2 * at.copies);
      },
      "argmax is the first": (at) => {
        expect([...rows(at, [0, 7, 7]).argmax(1).values()].every((i) => i === 1)).toBe(true);
        expect([...rows(at, [NaN, 7, NaN]).argmax(1).values()].every((i) => i === 0)).toBe(true);
      },
      "argmin is the first": (at) => {
        expect([...rows(at, [9, 7, 7]).argmin(1).values()].every((i) => i === 1)).toBe(true);
      },
      "clip at its bounds": gives((x) => x.clip(-1, 1), [-1, 1, 2], [1, 1, 0]),
      "relu at 0": gives((x) => x.relu(), [0, -0, 1], [0, 0, 1]),
      "abs at 0": gives((x) => x.abs(), [0, -0, -1], [0, 0, -1]),
      "sign at 0": flat((x) => x.sign(), [0, -1, 1]),
      "huberLoss at delta": (at) =>
        expectRowGradient(
          at,
          (x) => huberLoss(x, zerosOf(x.shape, { dtype: at.dtype }), { reduction: "sum" }),
          [1, -1, 2],
          [1, -1, 1],
        ),
      "huberLoss at a small delta": (at) =>
        expectRowGradient(
          at,
          (x) => huberLoss(x, zerosOf(x.shape, { dtype: at.dtype }), { delta: 0.5, reduction: "sum" }),
          [0.5, -0.5, 0.25],
          [0.5, -0.5, 0.25],
        ),
      "l1Loss at its target": lossAtTarget(l1Loss),
      "softmax of ties": (at) => expectRows(rows(at, [7, 7, -Infinity]).softmax(), [0.5, 0.5, 0], at),
      "logsumexp of ties": gives((x) => x.logsumexp(1), [7, 7, -Infinity], [0.5, 0.5, 0]),
      "norm over ties": gives((x) => x.norm(1), [1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5]),
    },
  },

  "std-constant": {
    kind: "spreads and what divides by them, of constant data: 0 with gradient 0, or the documented limit",
    subjects: {
      std: spreadless((x) => x.std(1)),
      "std of the population": spreadless((x) => x.std(1, { correction: 0 })),
      "std over a kept axis": spreadless((x) => x.std(1, { keepDims: true })),
      "std over the first of two axes": spreadless((x) => x.transpose().std(0)),
      variance: spreadless((x) => x.variance(1)),
      "variance of the population": spreadless((x) => x.variance(-1, { correction: 0 })),
      normalize: spreadless(
        (x) => x.normalize(),
        (y) => y.square(),
      ),
      "normalize along the first axis": spreadless(
        (x) => x.transpose().normalize({ axis: 0 }),
        (y) => y.square(),
      ),
      LayerNorm: spreadless(
        (x) => new LayerNorm(x.shape[1]!, { dtype: x.dtype as "float32" }).forward(x),
        (y) => y.square(),
      ),
      "LayerNorm without weights": spreadless(
        (x) => new LayerNorm(x.shape[1]!, { affine: false }).forward(x),
        (y) => y.square(),
      ),
      "one element": (at) => {
        expectRows(rows(at, [3]).std(1, { keepDims: true }), [NaN], at);
        expectRows(rows(at, [3]).variance(1, { keepDims: true }), [NaN], at);
        expectRowGradient(at, (x) => x.std(1, { correction: 0 }), [3], [0], 0);
        expectRows(rows(at, [3]).normalize(), [0], at, 0);
      },
      "statistics of constant samples": () => {
        for (const c of [...constants, 1e300]) {
          const sample = new Array<number>(7).fill(c);
          expect(sampleStd(sample)).toBe(0);
          expect(populationStd(sample)).toBe(0);
          expect(dz(sample)).toBe(Math.sign(c) * Infinity);
          expect(pairedT(sample).p).toBe(0);
          expect(tInterval(sample)).toEqual([c, c]);
          expect(pairCorrelation(sample, [1, 2, 3, 4, 5, 6, 7])).toBeNaN();
        }
      },
    },
  },

  "pow-at-zero": {
    kind: "powers and roots at 0 and of negative numbers, first and second derivative, in base and exponent",
    subjects: {
      "0^0": scalarPower(0, 0, 1, 0),
      "0^1": scalarPower(0, 1, 0, 1),
      "0^2": scalarPower(0, 2, 0, 0),
      "0^3": scalarPower(0, 3, 0, 0),
      "0^½": scalarPower(0, 0.5, 0, Infinity),
      "0^−1": scalarPower(0, -1, Infinity, -Infinity),
      "(−2)^2": scalarPower(-2, 2, 4, -4),
      "(−2)^3": scalarPower(-2, 3, -8, 12),
      "(−2)^−1": scalarPower(-2, -1, -0.5, -0.25),
      "(−2)^0": scalarPower(-2, 0, 1, 0),
      "1^∞": scalarPower(1, 0, 1, 0),
      "exponent of 0^1": exponentSlope(0, 1, 0),
      "exponent of 0^0": exponentSlope(0, 0, 0),
      "exponent of 2^1": exponentSlope(2, 1, 2 * Math.LN2),
      "exponent of 1^5": exponentSlope(1, 5, 0),
      "second derivative of x² at 0": secondSlope((x) => x.pow(2), 0, 2),
      "second derivative of x³ at 0": secondSlope((x) => x.pow(3), 0, 0),
      "second derivative of x at 0": secondSlope((x) => x.pow(1), 0, 0),
      "second derivative of x² at −2": secondSlope((x) => x.pow(2), -2, 2),
      "second derivative of square at 0": secondSlope((x) => x.square(), 0, 2),
      "second derivative of x·x at 0": secondSlope((x) => x.mul(x), 0, 2),
      "square at 0": flat((x) => x.square()),
      "prod of equal zeros": flat((x) => x.prod(1)),
      "√ at 0": gives((x) => x.sqrt(), [0, 4], [Infinity, 0.25]),
      "√ of x² at a distance": gives((x) => x.square().sqrt(), [-2, 2], [-1, 1]),
      "log at 0": gives((x) => x.log(), [0, 4], [Infinity, 0.25]),
      "reciprocal at 0": gives((x) => x.reciprocal(), [0, 4], [-Infinity, -0.0625]),
      "scale at 0": gives((x) => x.scale(3), [0, 1], [3, 3]),
      "integer powers of integers": (at) => {
        const y = tensor([0, -2, 3]).cast("int32").pow(2);
        expect([...y.values()]).toEqual([0, 4, 9]);
        expect(at.kernels).not.toBe("");
      },
    },
  },
};
