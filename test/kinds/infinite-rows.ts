import { expect } from "vitest";
import { gradients, tensor, type Tensor } from "../../src/autograd/index.js";
import { attention, crossEntropy } from "../../src/nn/index.js";
import { expectRowGradient, expectRows, numbers, rows, type Kind, type Place } from "./place.js";

const none = [-Infinity, -Infinity, -Infinity];
const some = [1, 2, -Infinity];
const [one, two] = [1 / (1 + Math.E), Math.E / (1 + Math.E)];

/** Value and gradient of a function of one entry at an infinite one. */
const at = (f: (x: Tensor) => Tensor, x: number, value: number, slope: number) => (place: Place) => {
  expectRows(f(rows(place, [x])), [value], place);
  expectRowGradient(place, f, [x], [slope]);
};

const zeros3 = [0, 0, 0];

export const infiniteRows: Readonly<Record<string, Kind>> = {
  "lse-all-neg-inf": {
    kind: "what takes −∞, all or in part: the limit as value, and a gradient of 0 where nothing changes",
    subjects: {
      "logsumexp of nothing but −∞": (place) => {
        expectRows(rows(place, none).logsumexp(1, { keepDims: true }), [-Infinity], place);
        expectRowGradient(place, (x) => x.logsumexp(1), none, zeros3);
      },
      "logsumexp of all axes": (place) => {
        const x = rows(place, none);
        const y = x.logsumexp();
        expect(y.item()).toBe(-Infinity);
        y.backward();
        expectRows(x.grad, zeros3, place);
      },
      "logsumexp of an inner axis": (place) => {
        expectRowGradient(
          place,
          (x) => x.unsqueeze(1).expand([place.copies, 2, 3]).logsumexp(1),
          none,
          zeros3,
        );
      },
      "logsumexp with some −∞": (place) =>
        expectRowGradient(place, (x) => x.logsumexp(1), some, [one, two, 0]),
      "logsumexp of +∞": (place) => {
        expectRows(rows(place, [Infinity, 1]).logsumexp(1, { keepDims: true }), [Infinity], place);
        expectRowGradient(place, (x) => x.logsumexp(1), [Infinity, 1], [1, 0]);
      },
      "second derivative of logsumexp": (place) => {
        const x = rows(place, some);
        const [g] = gradients(x.logsumexp(1).sum(), [x], { createGraph: true });
        const [second] = gradients(g!.slice([null, 0]).sum(), [x]);
        expectRows(second, [one * two, -one * two, 0], place);
      },
      "softmax of nothing but −∞": (place) => {
        expectRows(rows(place, none).softmax(), zeros3, place);
        expectRowGradient(place, (x) => x.softmax().mul(numbers("g", [3], place.dtype)), none, zeros3);
      },
      "softmax with some −∞": (place) => {
        expectRows(rows(place, some).softmax(), [one, two, 0], place);
        expectRowGradient(place, (x) => x.softmax().slice([null, 0]), some, [one * two, -one * two, 0]);
      },
      "softmax along the first axis": (place) => {
        const x = rows(place, none);
        expectRows(x.softmax(0), zeros3, place);
        x.softmax(0).sum().backward();
        expectRows(x.grad, zeros3, place);
      },
      "logSoftmax with some −∞": (place) => {
        expectRows(rows(place, some).logSoftmax(), [Math.log(one), Math.log(two), -Infinity], place);
        expectRowGradient(place, (x) => x.logSoftmax().slice([null, 0]), some, [1 - one, -two, 0]);
      },
      "logSoftmax of nothing but −∞ has no NaN in its gradient": (place) => {
        for (const g of rowGradientOf(place, (x) => x.logSoftmax(), none)) expect(g).not.toBeNaN();
      },
      "crossEntropy with impossible classes": (place) => {
        const targets = tensor(new Int32Array(place.copies).fill(1));
        expectRowGradient(place, (x) => crossEntropy(x, targets, { reduction: "sum" }), some, [
          one,
          two - 1,
          0,
        ]);
      },
      "attention with scores of −∞ by mask": (place) => {
        const q = numbers("q", [1, 1, 3, 2], place.dtype);
        const hidden = tensor([[true, true, true]]);
        const out = attention(q, q, q, { keyPaddingMask: hidden });
        expect(out.values().every((x) => x === 0)).toBe(true);
      },
      "max of −∞": (place) => {
        expectRows(rows(place, none).max(1, { keepDims: true }), [-Infinity], place);
        const third = 1 / 3;
        expectRowGradient(place, (x) => x.max(1), none, [third, third, third]);
      },
      "sum of −∞": (place) => expectRowGradient(place, (x) => x.sum(1), none, [1, 1, 1]),
      "exp at −∞": at((x) => x.exp(), -Infinity, 0, 0),
      "expm1 at −∞": at((x) => x.expm1(), -Infinity, -1, 0),
      "sigmoid at −∞": at((x) => x.sigmoid(), -Infinity, 0, 0),
      "sigmoid at ∞": at((x) => x.sigmoid(), Infinity, 1, 0),
      "tanh at −∞": at((x) => x.tanh(), -Infinity, -1, 0),
      "tanh at ∞": at((x) => x.tanh(), Infinity, 1, 0),
      "softplus at −∞": at((x) => x.softplus(), -Infinity, 0, 0),
      "softplus at ∞": at((x) => x.softplus(), Infinity, Infinity, 1),
      "relu at −∞": at((x) => x.relu(), -Infinity, 0, 0),
      "erf at −∞": at((x) => x.erf(), -Infinity, -1, 0),
      "erf at ∞": at((x) => x.erf(), Infinity, 1, 0),
      "gelu at −∞": at((x) => x.gelu(), -Infinity, 0, 0),
      "gelu at ∞": at((x) => x.gelu(), Infinity, Infinity, 1),
      "tanh gelu at −∞": at((x) => x.gelu({ approximate: "tanh" }), -Infinity, 0, 0),
      "tanh gelu at ∞": at((x) => x.gelu({ approximate: "tanh" }), Infinity, Infinity, 1),
      "clip at −∞": at((x) => x.clip(-1, 1), -Infinity, -1, 0),
      "abs at −∞": at((x) => x.abs(), -Infinity, Infinity, -1),
      "reciprocal at −∞": at((x) => x.reciprocal(), -Infinity, -0, -0),
    },
  },

  "cross-entropy-huge-logits": {
    kind: "what takes exponentials of sums of large numbers: huge, hugely negative and mixed ones lose nothing",
    subjects: Object.fromEntries(
      [1e8, 3e30].flatMap((big) => [
        ...cases("crossEntropy", big, [
          [[big, big], [-0.5, 0.5], Math.LN2],
          [[-big, -big], [-0.5, 0.5], Math.LN2],
          [[-big, big], [-1, 1], big * 2],
          [[big, -big], [0, 0], 0],
        ]),
        [`logsumexp of ${big}`, (place: Place) => logSumExpOfHuge(place, big)],
        [`softmax of ${big}`, (place: Place) => softmaxOfHuge(place, big)],
        [`logSoftmax of ${big}`, (place: Place) => logSoftmaxOfHuge(place, big)],
        [`label smoothing of ${big}`, (place: Place) => smoothingOfHuge(place, big)],
        [`attention with scores of ${big}`, (place: Place) => attentionOfHuge(place, big)],
        [`softplus of ${big}`, at((x) => x.softplus().div(big), big, 1, 1 / big)],
        [`softplus of −${big}`, at((x) => x.softplus(), -big, 0, 0)],
        [`sigmoid of −${big}`, at((x) => x.sigmoid(), -big, 0, 0)],
        [`tanh of ${big}`, at((x) => x.tanh(), big, 1, 0)],
        [`gelu of −${big}`, at((x) => x.gelu(), -big, 0, 0)],
        [`gelu of ${big}`, at((x) => x.gelu().div(big), big, 1, 1 / big)],
        [`tanh gelu of −${big}`, at((x) => x.gelu({ approximate: "tanh" }), -big, 0, 0)],
        [`tanh gelu of ${big}`, at((x) => x.gelu({ approximate: "tanh" }).div(big), big, 1, 1 / big)],
        [`erf of ${big}`, at((x) => x.erf(), big, 1, 0)],
        [
          `norm of ${big}`,
          (place: Place) => expectRowGradient(place, (x) => x.norm(1), [3 * big, 4 * big], [0.6, 0.8]),
        ],
      ]),
    ),
  },
};

function rowGradientOf(place: Place, f: (x: Tensor) => Tensor, row: readonly number[]): number[] {
  const x = rows(place, row);
  f(x).sum().backward();
  return [...x.grad!.values()];
}

type Case = readonly [logits: readonly number[], gradient: readonly number[], loss: number];

/** The loss of class 0 and its gradient, with the sign turned: softmax − onehot. */
function cases(name: string, big: number, list: readonly Case[]): [string, (place: Place) => void][] {
  return list.map(([logits, gradient, loss]) => [
    `${name} of ${logits.map((x) => x.toExponential(0)).join(" and ")} beside ${big}`,
    (place) => {
      const targets = tensor(new Int32Array(place.copies));
      const losses = crossEntropy(rows(place, logits), targets, { reduction: "none" });
      expectRows(losses.unsqueeze(1), [loss], place);
      expectRowGradient(place, (x) => crossEntropy(x, targets, { reduction: "sum" }), logits, gradient);
    },
  ]);
}

function logSumExpOfHuge(place: Place, big: number): void {
  expectRows(
    rows(place, [-big, -big]).logsumexp(1, { keepDims: true }).div(big),
    [Math.LN2 / big - 1],
    place,
  );
  expectRowGradient(place, (x) => x.logsumexp(1), [big, big, -big], [0.5, 0.5, 0]);
  expectRowGradient(place, (x) => x.logsumexp(1), [-big, -big], [0.5, 0.5]);
}

function softmaxOfHuge(place: Place, big: number): void {
  expectRows(rows(place, [big, big, -big]).softmax(), [0.5, 0.5, 0], place);
  expectRows(rows(place, [-big, -big]).softmax(), [0.5, 0.5], place);
  expectRowGradient(place, (x) => x.softmax().slice([null, 0]), [big, big, -big], [0.25, -0.25, 0]);
}

function logSoftmaxOfHuge(place: Place, big: number): void {
  expectRows(rows(place, [big, big]).logSoftmax(), [-Math.LN2, -Math.LN2], place);
  expectRows(
    rows(place, [big, -big, -Infinity])
      .logSoftmax()
      .mul([1, 1 / big, 1]),
    [0, -2, -Infinity],
    place,
  );
  expectRowGradient(place, (x) => x.logSoftmax().slice([null, 0]), [big, big], [0.5, -0.5]);
}

function smoothingOfHuge(place: Place, big: number): void {
  const targets = tensor(new Int32Array(place.copies));
  const options = { reduction: "sum", labelSmoothing: 0.2 } as const;
  expectRowGradient(place, (x) => crossEntropy(x, targets, options), [big, big], [-0.4, 0.4]);
}

/** Keys that score ±s²: the first value alone comes out, and nothing flows to the scores. */
function attentionOfHuge(place: Place, big: number): void {
  const s = Math.sqrt(big);
  const q = tensor([[[[s, 0]]]], { dtype: place.dtype, requiresGrad: true });
  const k = tensor([[[[s, 0], [-s, 0]]]], { dtype: place.dtype, requiresGrad: true }); // prettier-ignore
  const v = tensor([[[[1], [5]]]], { dtype: place.dtype, requiresGrad: true });
  const out = attention(q, k, v);
  expect(out.item()).toBe(1);
  out.sum().backward();
  expect([...v.grad!.values()]).toEqual([1, 0]);
  for (const x of [q, k]) for (const g of x.grad!.values()) expect(Math.abs(g)).toBe(0);
}
