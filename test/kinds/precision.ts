import { expect } from "vitest";
import {
  einsum,
  full,
  gradients,
  logsumexp,
  matmul,
  tensor,
  where,
  zeros,
  type Tensor,
} from "../../src/autograd/index.js";
import {
  attention,
  clipGradNorm,
  crossEntropy,
  Embedding,
  huberLoss,
  l1Loss,
  LayerNorm,
  Linear,
  mseLoss,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { mean, populationStd, sampleStd, standardError } from "../../src/stats/index.js";
import { expectNumber, expectRows, oncePerKernels, rows, type Kind, type Place } from "./place.js";

/** Steps on a grid that float32 holds beside any of the means. */
const steps = [0, 3, -2, 5, 1, 1, -4, 2];
const means = [0, 1000, -40000, 2 ** 20];

/** f of steps beside a large mean is f of the steps: the mean is exactly representable, so nothing may be lost. */
function shiftFree(f: (x: Tensor) => Tensor, tolerance = 4): (at: Place) => void {
  return (at) => {
    const wanted = f(rows({ ...at, dtype: "float64", copies: 1 }, steps)).values();
    for (const shift of means) {
      const x = rows(
        at,
        steps.map((step) => step + shift),
      );
      const y = f(x);
      const unit = at.dtype === "float32" ? 2 ** -23 : 2 ** -52;
      y.values().forEach((value, i) =>
        expectNumber(value, wanted[i % wanted.length]!, tolerance * unit, `mean ${shift}, entry ${i}`),
      );
    }
  };
}

/** The gradient of f beside a large mean is that beside 0. */
function shiftFreeGradient(f: (x: Tensor) => Tensor): (at: Place) => void {
  return shiftFree((x) => {
    const weights = tensor(steps.map((step, i) => step * 0.5 + i)).cast(x.dtype);
    const y = f(x);
    return gradients(y.mul(y.rank > 1 ? weights : 1).sum(), [x])[0]!;
  }, 64);
}

const sampleOf = (shift: number): number[] => steps.map((step) => step + shift);
const count = 1_000_000;
/** float32(1/255), of which a million in a plain loop give 3909.23 and not 3921.5688. */
const part = Math.fround(1 / 255);
const exact = part * count;
const many = (shape: readonly number[] = [count], value = part): Tensor =>
  full(shape, value, { requiresGrad: true });
/** Blocks of 4096 are summed in 16 lanes of 256 (src/tensor/kernels/reference/reduce.ts); a product adds its blocks of k one after the other. */
const near = (found: number, wanted: number, units = 64): void =>
  expectNumber(found / wanted, 1, units * 2 ** -24);

export const precision: Readonly<Record<string, Kind>> = {
  "layernorm-large-mean": {
    kind: "spreads, distances and shares of values far from 0 that lie close together: nothing cancels",
    subjects: {
      variance: shiftFree((x) => x.variance(1)),
      "variance along the first axis": shiftFree((x) => x.transpose().variance(0)),
      std: shiftFree((x) => x.std(1)),
      normalize: shiftFree((x) => x.normalize(), 16),
      LayerNorm: shiftFree((x) => new LayerNorm(8, { dtype: x.dtype as "float32" }).forward(x), 16),
      "LayerNorm without weights": shiftFree((x) => new LayerNorm(8, { affine: false }).forward(x), 16),
      softmax: shiftFree((x) => x.softmax()),
      logSoftmax: shiftFree((x) => x.logSoftmax(), 8),
      "logsumexp above its largest": shiftFree((x) => logsumexp(x.sub(x.max(1, { keepDims: true })), 1), 8),
      crossEntropy: shiftFree(
        (x) => crossEntropy(x, tensor(new Int32Array(x.shape[0]!).fill(2)), { reduction: "none" }),
        8,
      ),
      mseLoss: shiftFree((x) => mseLoss(x, x.detach().flip(1), { reduction: "none" })),
      l1Loss: shiftFree((x) => l1Loss(x, x.detach().flip(1), { reduction: "none" })),
      huberLoss: shiftFree((x) => huberLoss(x, x.detach().flip(1), { reduction: "none" })),
      "mean above the first": shiftFree((x) =>
        x
          .mean(1, { keepDims: true })
          .sub(x.slice([null, [0, 1]]))
          .cast("float64")
          .mul(8)
          .add(0.5)
          .cast("int32")
          .div(8),
      ),
      "gradient of variance": shiftFreeGradient((x) => x.variance(1, { keepDims: true })),
      "gradient of std": shiftFreeGradient((x) => x.std(1, { keepDims: true })),
      "gradient of normalize": shiftFreeGradient((x) => x.normalize()),
      "gradient of LayerNorm": shiftFreeGradient((x) =>
        new LayerNorm(8, { dtype: x.dtype as "float32" }).forward(x),
      ),
      "gradient of softmax": shiftFreeGradient((x) => x.softmax()),
      "gradient of logSoftmax": shiftFreeGradient((x) => x.logSoftmax()),
      "gradient of logsumexp": shiftFreeGradient((x) => x.logsumexp(1)),
      "attention to keys with a large common part": (at) => {
        const q = zeros([1, 1, 1, 8], { dtype: at.dtype }).add(1 / 8);
        const weights = (shift: number): number[] => {
          const k = tensor(
            steps.map((step) => [step * 2 + shift, 0, 0, 0, 0, 0, 0, 0]),
            { dtype: at.dtype },
          );
          const v = tensor(
            steps.map((_, i) => [i]),
            { dtype: at.dtype },
          );
          return [...attention(q, k.reshape([1, 1, 8, 8]), v.reshape([1, 1, 8, 1])).values()];
        };
        expectNumber(weights(1024)[0]!, weights(0)[0]!, at.dtype === "float32" ? 3e-4 : 1e-11);
      },
      "statistics of samples": () => {
        for (const shift of [...means, 2 ** 40]) {
          for (const f of [sampleStd, populationStd, standardError])
            expectNumber(f(sampleOf(shift)), f(steps), 4 * 2 ** -52);
          expect(mean(sampleOf(shift))).toBe(mean(steps) + shift);
        }
      },
    },
  },

  "long-reduction": {
    kind: "sums of a million float32 numbers, seen or hidden in a gradient: as exact as a pairwise sum",
    places: oncePerKernels,
    subjects: {
      sum: () => near(many().sum().item(), exact),
      "sum of the last axis": () =>
        near(
          many([2, count / 2])
            .sum(1)
            .values()[1]!,
          exact / 2,
        ),
      "sum of the first axis": () =>
        near(
          many([count / 2, 2])
            .sum(0)
            .values()[1]!,
          exact / 2,
        ),
      "sum of a middle axis": () =>
        near(
          many([2, count / 4, 2])
            .sum(1)
            .values()[3]!,
          exact / 4,
        ),
      "sum of axes apart": () => near(many([1000, 2, 500]).sum([0, 2]).values()[1]!, exact / 2),
      mean: () => near(many().mean().item(), part),
      "mean of 2e7 ones": () => expect(full([20_000_000], 1).mean().item()).toBe(1),
      norm: () => near(many().norm().item(), part * 1000),
      variance: () => {
        const x = many()
          .detach()
          .scatterAdd(tensor(Int32Array.of(0)), tensor([1]));
        near(x.variance().item(), (1 / count) * (1 - 1 / count) * (count / (count - 1)), 64);
      },
      std: () => {
        const x = full([count], 1).mul(tensor(alternating(count)));
        near(x.std(undefined, { correction: 0 }).item(), 1);
      },
      logsumexp: () => near(many().logsumexp().item(), part + Math.log(count)),
      softmax: () => near(many().softmax().values()[7]!, 1 / count, 64),
      logSoftmax: () => near(many().logSoftmax().values()[7]!, -Math.log(count)),
      "prod of ones": () => expect(full([count], 1).prod().item()).toBe(1),
      cumsum: () => near(many().cumsum(0).values().at(-1)!, exact),
      "cumsum of the first axis": () =>
        near(
          many([count / 2, 2])
            .cumsum(0)
            .values()
            .at(-1)!,
          exact / 2,
        ),
      "gradient of cumsum": () => {
        const x = many();
        x.cumsum(0).backward(many().detach());
        near(x.grad!.values()[0]!, exact);
      },
      "matmul of vectors": () => near(matmul(many(), full([count], 1)).item(), exact, 512),
      "matmul with long k": () =>
        near(matmul(many([2, count / 2]), full([count / 2, 3], 1)).values()[4]!, exact / 2, 512),
      "matmul with long k, transposed": () =>
        near(
          matmul(many([count / 2, 2]), full([count / 2, 3], 1), { transposeA: true }).values()[4]!,
          exact / 2,
          512,
        ),
      einsum: () => near(einsum("i,i->", many(), full([count], 1)).item(), exact, 512),
      mseLoss: () => near(mseLoss(many(), zeros([count])).item(), part ** 2),
      l1Loss: () => near(l1Loss(many(), zeros([count])).item(), part),
      huberLoss: () => near(huberLoss(many(), zeros([count])).item(), part ** 2 / 2),
      "crossEntropy of many rows": () =>
        near(crossEntropy(many([count / 2, 2]), tensor(new Int32Array(count / 2))).item(), Math.LN2),
      "crossEntropy of many classes": () =>
        near(crossEntropy(many([1, count]), tensor(Int32Array.of(5))).item(), Math.log(count)),
      clipGradNorm: () => {
        const x = many();
        x.grad = many().detach();
        near(clipGradNorm([x], 1e9), part * 1000);
      },
      "gradient of a broadcast scalar": () => {
        const x = tensor(1, { requiresGrad: true });
        many().detach().mul(x).sum().backward();
        near(x.grad!.item(), exact);
      },
      "gradient of expand": () => {
        const x = tensor([1], { requiresGrad: true });
        x.expand([count]).backward(many().detach());
        near(x.grad!.item(), exact);
      },
      "gradient of a shared row": () => {
        const x = tensor([1, 1], { requiresGrad: true });
        many([count / 2, 2])
          .detach()
          .add(x)
          .backward(many([count / 2, 2]).detach());
        near(x.grad!.values()[1]!, exact / 2);
      },
      "gradient of where": () => {
        const x = tensor(1, { requiresGrad: true });
        where(true, x, many().detach()).backward(many().detach());
        near(x.grad!.item(), exact);
      },
      "gradient of gather": () => {
        const x = tensor([1, 2], { requiresGrad: true });
        x.gather(new Int32Array(count).fill(1)).backward(many().detach());
        near(x.grad!.values()[1]!, exact);
      },
      "gradient of gather of rows": () => {
        const x = tensor([[1, 2], [3, 4]], { requiresGrad: true }); // prettier-ignore
        x.gather(new Int32Array(count / 2).fill(1)).backward(many([count / 2, 2]).detach());
        near(x.grad!.values()[3]!, exact / 2);
      },
      "gradient of takeAlongAxis": () => {
        const x = tensor([1, 2], { requiresGrad: true });
        x.takeAlongAxis(tensor(new Int32Array(count).fill(1))).backward(many().detach());
        near(x.grad!.values()[1]!, exact);
      },
      scatterAdd: () => {
        const y = zeros([2]).scatterAdd(new Int32Array(count).fill(1), many());
        near(y.values()[1]!, exact);
      },
      "gradient of Embedding": () => {
        const layer = new Embedding(2, 1, { rng: generator("long") });
        layer.forward(tensor(new Int32Array(count).fill(1))).backward(many([count, 1]).detach());
        near(layer.weight.grad!.values()[1]!, exact);
      },
      "gradient of Linear": () => {
        const layer = new Linear(2, 1, { rng: generator("long") });
        layer.forward(full([count, 2], 1)).backward(many([count, 1]).detach());
        near(layer.bias!.grad!.item(), exact);
        near(layer.weight.grad!.values()[1]!, exact, 512);
      },
      "gradient of LayerNorm": () => {
        const layer = new LayerNorm(2);
        const x = tensor(alternating(count), { shape: [count / 2, 2] });
        layer.forward(x).backward(many([count / 2, 2]).detach());
        near(layer.bias!.grad!.values()[1]!, exact / 2);
        near(layer.weight!.grad!.values()[0]!, exact / 2, 256);
      },
      "uses of one tensor": () => {
        const x = tensor(1, { requiresGrad: true });
        for (let i = 0; i < 1000; i++) x.mul(part).backward();
        near(x.grad!.item(), part * 1000, 2000);
      },
      "rows everywhere": (at: Place) => expectRows(rows(at, [1, 2, 3]).sum(1, { keepDims: true }), [6], at),
    },
  },
};

/** 1, −1, 1, −1, … */
function alternating(length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => (i % 2 === 0 ? 1 : -1));
}
