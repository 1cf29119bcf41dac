import { expect } from "vitest";
import { concat, gradients, split, tensor, where, type Tensor } from "../../src/autograd/index.js";
import { attention, crossEntropy, Dropout, huberLoss, l1Loss, mseLoss } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { expectRowGradient, expectRows, rows, type Kind, type Place } from "./place.js";

/** Functions of which value or derivative at 0 is infinite or undefined, and their derivative at 4. */
const poles: readonly (readonly [name: string, f: (x: Tensor) => Tensor, slope: number])[] = [
  ["sqrt", (x) => x.sqrt(), 0.25],
  ["log", (x) => x.log(), 0.25],
  ["reciprocal", (x) => x.reciprocal(), -0.0625],
  ["pow", (x) => x.pow(-1.5), -1.5 * 4 ** -2.5],
  ["div", (x) => x.div(x.mul(0).add(x)), 0],
  ["log1p", (x) => x.sub(1).log1p(), 0.25],
  ["log of log", (x) => x.log().neg().log().mul(0).add(x.log()), NaN],
  ["logsumexp", (x) => x.log().unsqueeze(-1).logsumexp(-1), 0.25],
  ["norm of poles", (x) => x.log().unsqueeze(-1).norm(-1), 0.25],
];

const finitePoles = poles.filter(([, , slope]) => !Number.isNaN(slope));

/** What takes only the second entry of rows of two, where the first is bad. */
const takers: Readonly<Record<string, (bad: Tensor, x: Tensor) => Tensor>> = {
  where: (bad, x) => where(x.greater(0), bad, 0),
  "where, other branch": (bad, x) => where(x.equal(0), 1, bad),
  slice: (bad) => bad.slice([null, [1, 2]]),
  "slice with a negative step": (bad) => bad.slice([null, [1, 0, -1]]),
  "slice by index": (bad) => bad.slice([null, 1]),
  gather: (bad) => bad.gather([1, 1], 1).mul(0.5),
  takeAlongAxis: (bad) =>
    bad.takeAlongAxis(tensor(new Int32Array(bad.shape[0]!).fill(1), { shape: [bad.shape[0]!, 1] }), 1),
  split: (bad) => split(bad, 2, 1)[1]!,
  "tril of a row": (bad) => bad.unsqueeze(1).flip(2).tril(0),
  "triu of a row": (bad) => bad.unsqueeze(1).triu(1),
  scale: (bad, x) => x.greater(0).cast(x.dtype).scale(bad),
  "concat, then slice": (bad) => concat([bad, bad], 1).slice([null, [3, 4]]),
  "expand, then slice": (bad) =>
    bad
      .unsqueeze(0)
      .expand([2, ...bad.shape])
      .slice([0, null, 1]),
  "permute, then slice": (bad) => bad.transpose().slice([1]),
};

/** What stops a negative entry before √, whose derivative at 0 is infinite. */
const guards: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  relu: (x) => x.relu(),
  maximum: (x) => x.maximum(0),
  "maximum, other side": (x) => tensor(0).cast(x.dtype).maximum(x),
  minimum: (x) => x.neg().minimum(0).neg(),
  clip: (x) => x.clip(0, 9),
  "clip above": (x) => x.neg().clip(-9, 0).neg(),
  where: (x) => x.where(x.greater(0), 0),
  "max over an axis": (x) =>
    x
      .unsqueeze(-1)
      .pad([
        [0, 0],
        [0, 0],
        [0, 1],
      ])
      .max(-1),
  "min over an axis": (x) =>
    x
      .neg()
      .unsqueeze(-1)
      .pad([
        [0, 0],
        [0, 0],
        [0, 1],
      ])
      .min(-1)
      .neg(),
  scale: (x) => x.greater(0).cast(x.dtype).scale(x),
};

function takes(take: (bad: Tensor, x: Tensor) => Tensor): (at: Place) => void {
  return (at) => {
    for (const [name, f, slope] of finitePoles) {
      const x = rows(at, [0, 4]);
      const [g] = gradients(take(f(x), x).sum(), [x], { createGraph: true });
      expect(g!.values()[0], name).toBe(0);
      expectRows(g, [0, slope], at);
      const [second] = gradients(g!.mul(x.add(1)).sum(), [x]);
      expect(Number.isFinite(second!.values()[0]), `second derivative of ${name}`).toBe(true);
      expect(Number.isFinite(second!.values()[1]), `second derivative of ${name}`).toBe(true);
    }
  };
}

const huge = (at: Place): Tensor => rows(at, [Infinity, -Infinity, 0.5, 0]);
const zerosLike = (x: Tensor): Tensor => x.detach().mul(0).where(x.isFinite(), 0);

export const branches: Readonly<Record<string, Kind>> = {
  "where-nan": {
    kind: "what chooses among entries: one that was not chosen sends back exactly 0, whatever its own derivative",
    subjects: {
      ...Object.fromEntries(Object.entries(takers).map(([name, take]) => [name, takes(take)])),
      ...Object.fromEntries(
        Object.entries(guards).map(([name, guard]) => [
          `${name} before √`,
          (at: Place) => expectRowGradient(at, (x) => guard(x).sqrt(), [-1, 4], [0, 0.25]),
        ]),
      ),
      "max of an axis": (at) => expectRowGradient(at, (x) => x.sqrt().max(1), [0, 4], [0, 0.25]),
      "min of an axis": (at) => expectRowGradient(at, (x) => x.sqrt().neg().min(1), [0, 4], [0, -0.25]),
      "maximum of poles": (at) => expectRowGradient(at, (x) => x.sqrt().maximum(1), [0, 4], [0, 0.25]),
      "minimum of poles": (at) =>
        expectRowGradient(at, (x) => x.reciprocal().minimum(1), [0, 4], [0, -0.0625]),
      "clip of poles": (at) => expectRowGradient(at, (x) => x.log().clip(-3, 3), [0, 4], [0, 0.25]),
      "relu of poles": (at) => expectRowGradient(at, (x) => x.log().relu(), [0, 4], [0, 0.25]),
      "Dropout, what is dropped": (at) => {
        const x = rows(at, [0, 0, 0, 0, 4]);
        const drop = new Dropout({ p: 0.5, rng: generator("branches") });
        const bad = x.sqrt();
        const y = drop.forward(bad);
        y.sum().backward();
        const kept = y.values();
        x.grad!.values().forEach((g, i) => {
          if (i % 5 === 4) expect(g).toBe(kept[i] === 0 ? 0 : 0.5);
          else expect(g === 0 || g === Infinity, `gradient ${g}`).toBe(true);
        });
        const all = new Dropout({ p: 1, rng: generator("branches") });
        expectRowGradient(at, (z) => all.forward(z.sqrt()), [0, 4], [0, 0]);
        expectRowGradient(at, (z) => all.forward(z.log()), [0, -4], [0, 0]);
      },
      "crossEntropy, ignored rows": (at) => {
        for (const labelSmoothing of [0, 0.1]) {
          const x = rows(at, [0, 0]);
          const bad = x.log();
          const targets = tensor(new Int32Array(at.copies).fill(-100));
          crossEntropy(bad, targets, { reduction: "sum", labelSmoothing }).backward();
          expectRows(x.grad, [0, 0], at);
        }
      },
      "attention, hidden keys": (at) => {
        const x = rows(at, [0, 4]);
        const v = x.log().reshape([at.copies, 1, 2, 1]);
        const q = v.mul(0).stopGradient().where(v.greater(9), 1);
        const k = q.detach();
        const hidden = tensor([[true, false]]).expand([at.copies, 2]);
        attention(q, k, v, { keyPaddingMask: hidden }).sum().backward();
        expectRows(x.grad, [0, 2 * 0.25], at);
      },
      "huberLoss beyond delta": (at) =>
        expectRowGradient(
          at,
          (x) => huberLoss(x, zerosLike(x), { reduction: "sum" }),
          [Infinity, -Infinity, 0.5, 0],
          [1, -1, 0.5, 0],
        ),
      "l1Loss of infinities": (at) => {
        const x = huge(at);
        l1Loss(x, zerosLike(x), { reduction: "sum" }).backward();
        expectRows(x.grad, [1, -1, 1, 0], at);
      },
      "mseLoss of part": (at) =>
        expectRowGradient(
          at,
          (x) =>
            mseLoss(x.sqrt().slice([null, [1, 2]]), x.detach().slice([null, [0, 1]]), { reduction: "sum" }),
          [0, 4],
          [0, 1],
        ),
    },
  },
};
