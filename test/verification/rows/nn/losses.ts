import { tensor, type Tensor } from "../../../../src/autograd/index.js";
import { crossEntropy, huberLoss, l1Loss, mseLoss, type Reduction } from "../../../../src/nn/index.js";
import { checkSameFunction } from "../../../../src/testing/index.js";
import { checkAgreement } from "../../checks/agreement.js";
import { layerRow, seeded } from "../../layer-row.js";
import { normals, stream } from "../../module-sample.js";
import { layerOracles } from "../../oracle/layer-oracles.js";
import { regressionOracle } from "../../oracle/regression-oracle.js";
import { check, property, type Row } from "../../row.js";
import type { Function, Sample } from "../../sample.js";

const untrained = "the models of the rows GRU and TransformerBlock are trained with mseLoss";
const reductions = ["mean", "sum", "none"] as const;
const shapes = [[3], [2, 3], [4, 1]] as const;

type Regression = (prediction: Tensor, target: Tensor, options: { readonly reduction: Reduction }) => Tensor;

/** Differences away from 0 and from ±1, where the losses have kinks; they keep a distance of at least 0.05. */
function apart(seed: number, shape: readonly number[]): Tensor[] {
  const prediction = normals(stream(seed, "prediction"), shape);
  const differences = normals(stream(seed, "difference"), shape, 1.5).values();
  const away = differences.map((d) => {
    const size = Math.abs(d) < 0.05 ? 0.1 : Math.abs(Math.abs(d) - 1) < 0.05 ? 1.2 : Math.abs(d);
    return d < 0 ? -size : size;
  });
  return [prediction, prediction.sub(tensor(away, { shape: [...shape] }))];
}

const regressionSamples = (loss: Regression, naive: (d: number) => number) =>
  seeded({ shape: shapes, reduction: reductions }, ({ shape, reduction }, seed) => ({
    f: (prediction, target) => loss(prediction!, target!, { reduction }),
    inputs: apart(seed, shape),
    naive: (prediction, target) => {
      const costs = Float64Array.from(prediction!.values(), (p, i) => naive(p - target!.values()[i]!));
      const sum = costs.reduce((a, b) => a + b, 0);
      if (reduction === "none") return tensor(costs, { shape: [...prediction!.shape] });
      return tensor(reduction === "sum" ? sum : sum / costs.length, { dtype: "float64" });
    },
  }));

const regressionAt = (loss: Regression) => (): readonly Sample[] => [
  { f: (p, t) => loss(p!, t!, { reduction: "mean" }), inputs: apart(1, [2048, 8]) },
];

/** The value of the loop to rounding; an exact comparison fails where a mean of whole numbers is not representable. */
const asLoop = (samples: ReturnType<typeof regressionSamples>) =>
  property("the loop over its elements", samples, ({ f, naive, inputs }) =>
    checkAgreement("Loop", 1e-14, [["value", f(...inputs), naive!(...inputs)]]),
  );

const notWhole = "a mean of whole numbers is not whole: level 2 compares with the loop to rounding";

/** Each row alone, in the order of the batch. */
const rowsAlone = (loss: Regression) =>
  check("without reduction a batch is its rows", () => {
    const [prediction, target] = apart(4, [3, 5]) as [Tensor, Tensor];
    const whole = loss(prediction, target, { reduction: "none" });
    return checkAgreement(
      "Rows",
      0,
      [0, 1, 2].map((row) => [
        "a row",
        whole.slice([row]),
        loss(prediction.slice([row]), target.slice([row]), { reduction: "none" }),
      ]),
    );
  });

function regressionRow(
  name: string,
  loss: Regression,
  records: string,
  fused: boolean,
  naive: (d: number) => number,
): Row {
  const samples = regressionSamples(loss, naive);
  return layerRow(name, "loss", [`nn ${name}`], {
    samples,
    records,
    fused,
    real: regressionAt(loss),
    float32At: regressionAt(loss),
    ...(fused && { fusedGradient: 4e-6 }),
    further: { 2: [asLoop(samples)], 7: [rowsAlone(loss)], 8: regressionOracle(name) },
    reasons: { 0: notWhole, 10: untrained },
  });
}

const targetsOf = (rows: number, classes: number, seed: number): Tensor => {
  const rng = stream(seed, "targets");
  const ignored = rng.integer(0, 3);
  return tensor(
    Int32Array.from({ length: rows }, (_, i) => (i > 0 && i === ignored ? -100 : rng.integer(0, classes))),
  );
};

const crossEntropySamples = (labelSmoothing: number) =>
  seeded(
    { rows: [1, 3, 4], classes: [2, 3, 5], reduction: reductions },
    ({ rows, classes, reduction }, seed) => ({
      f: (logits) => crossEntropy(logits!, targetsOf(rows, classes, seed), { reduction, labelSmoothing }),
      inputs: [normals(stream(seed, "logits"), [rows, classes], 2)],
      naive: crossEntropyByHand(targetsOf(rows, classes, seed), reduction, labelSmoothing),
    }),
  );

/** −Σ of the target's distribution times the logarithm of softmax, in operations. */
const crossEntropyByHand =
  (targets: Tensor, reduction: Reduction, smoothing: number): Function =>
  (logits) => {
    const [rows, classes] = logits!.shape as [number, number];
    const labels = targets.values();
    const wanted = tensor(
      Float64Array.from({ length: rows * classes }, (_, i) => {
        const label = labels[Math.floor(i / classes)]!;
        if (label < 0) return 0;
        return (i % classes === label ? 1 - smoothing : 0) + smoothing / classes;
      }),
      { shape: [rows, classes] },
    );
    const costs = logits!
      .sub(logits!.logsumexp(1, { keepDims: true }))
      .mul(wanted)
      .sum(1)
      .neg();
    if (reduction === "none") return costs;
    const counted = [...labels].filter((label) => label >= 0).length;
    return reduction === "sum" ? costs.sum() : costs.sum().div(counted);
  };

const crossEntropyAt = (labelSmoothing: number) => (): readonly Sample[] => [
  {
    f: (logits) => crossEntropy(logits!, targetsOf(512, 64, 1), { labelSmoothing }),
    inputs: [normals(stream(1, "logits"), [512, 64], 3)],
  },
];

const notWholeLogs = "exponentials of whole numbers are not whole";

const crossEntropyRow = (name: string, labelSmoothing: number, records: string): Row =>
  layerRow(name, "loss", ["nn crossEntropy"], {
    samples: crossEntropySamples(labelSmoothing),
    records,
    fused: true,
    fusedGradient: 4e-6,
    real: crossEntropyAt(labelSmoothing),
    float32At: crossEntropyAt(labelSmoothing),
    cases: ["cross-entropy-huge-logits"],
    further: {
      2: [
        property("fused against composed", crossEntropySamples(labelSmoothing), ({ f, naive, inputs }) =>
          checkSameFunction(f, inputs, { twin: naive!, tolerance: 1e-13 }),
        ),
      ],
      7: [
        check("a row that is ignored has no gradient, whatever it holds", () => {
          const targets = tensor(Int32Array.of(1, -100, 0));
          const logits = normals(stream(3, "logits"), [3, 2]);
          const loss: Function = (x) => crossEntropy(x!, targets, { labelSmoothing });
          const kept = tensor(Int32Array.of(0, 2));
          return checkSameFunction(loss, [logits], {
            tolerance: 1e-15,
            twin: (x) => crossEntropy(x!.gather(kept, 0), targets.gather(kept, 0), { labelSmoothing }),
          });
        }),
      ],
      8: layerOracles.crossEntropy,
    },
    reasons: { 0: notWholeLogs, 10: untrained },
  });

export const lossRows: readonly Row[] = [
  regressionRow("mseLoss", mseLoss, "squaredError", true, (d) => d * d),
  regressionRow("l1Loss", l1Loss, "abs", false, Math.abs),
  regressionRow("huberLoss", huberLoss, "clip", false, (d) =>
    Math.abs(d) <= 1 ? d ** 2 / 2 : Math.abs(d) - 0.5,
  ),
  crossEntropyRow("crossEntropy", 0, "crossEntropy"),
  crossEntropyRow("crossEntropy, smoothed", 0.2, "logSoftmax"),
];
