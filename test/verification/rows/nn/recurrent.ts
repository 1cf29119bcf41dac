import type { Tensor } from "../../../../src/autograd/index.js";
import { GRU, GRUCell, type OnStep, type ResetPlace } from "../../../../src/nn/index.js";
import { composedSequence, composedStep } from "../../../../src/nn/recurrent/composed-sequence.js";
import { gruSequence } from "../../../../src/nn/recurrent/gru-sequence.js";
import { checkCausality, checkEquivariance, checkSameFunction } from "../../../../src/testing/index.js";
import { permutation } from "../../checks/permutation.js";
import { checkTrainedModel } from "../../checks/trained-model.js";
import { layerRow, seeded, type LayerSubject } from "../../layer-row.js";
import { moduleSample, normals, scrambled, stream } from "../../module-sample.js";
import { layerOracles } from "../../oracle/layer-oracles.js";
import { check, property, type Row } from "../../row.js";
import type { Function, Sample } from "../../sample.js";

const dtype = "float64";

interface Sizes {
  readonly batch: number;
  readonly inputs: number;
  readonly hidden: number;
  readonly time?: number;
  readonly layers?: number;
  readonly bias?: boolean;
  readonly onStep?: OnStep;
  readonly std?: number;
}

interface Recurrent extends Sample {
  readonly module: GRU;
}

/** States and last states of all layers as one tensor. */
function gru(reset: ResetPlace, sizes: Sizes, seed: number): Recurrent {
  const { batch, inputs, hidden, time = 3, layers = 1, bias = true, onStep, std = 0.6 } = sizes;
  const options = {
    rng: stream(seed, "w"),
    dtype,
    reset,
    numLayers: layers,
    bias,
    ...(onStep && { onStep }),
  } as const;
  const module = scrambled(new GRU(inputs, hidden, options), stream(seed, "p"), std);
  const call: Function = (x, h) => {
    const { output, hidden: last } = module.forward(x!, h);
    return output.mul(last.sum(0).unsqueeze(1).add(1));
  };
  const x = normals(stream(seed, "x"), [batch, time, inputs]);
  const h = normals(stream(seed, "h"), [layers, batch, hidden], 0.5);
  return { module, ...moduleSample(module, call, [x, h]) };
}

const samples = (reset: ResetPlace, onStep?: OnStep) =>
  seeded(
    {
      batch: [1, 2],
      inputs: [1, 2],
      hidden: [1, 3],
      time: [1, 2, 3],
      layers: [1, 1, 2],
      bias: [true, true, false],
    },
    (sizes, seed) => gru(reset, { ...sizes, ...(onStep && { onStep }) }, seed),
  );

function cell(reset: ResetPlace, { batch, inputs, hidden, bias = true, std = 0.6 }: Sizes, seed: number) {
  const options = { rng: stream(seed, "w"), dtype, reset, bias } as const;
  const module = scrambled(new GRUCell(inputs, hidden, options), stream(seed, "p"), std);
  const x = normals(stream(seed, "x"), [batch, inputs]);
  const h = normals(stream(seed, "h"), [batch, hidden], 0.5);
  return { module, ...moduleSample(module, (x, h) => module.forward(x!, h), [x, h]) };
}

const cellSamples = (reset: ResetPlace) =>
  seeded({ batch: [1, 2, 3], inputs: [1, 2], hidden: [1, 3], bias: [true, true, false] }, (sizes, seed) =>
    cell(reset, sizes, seed),
  );

/** The names that a composed form gives the tensors of a sample with biases. */
const named = ([x, start, weightIh, weightHh, biasIh, biasHh]: readonly Tensor[]) => ({
  x: x!,
  start: start!,
  weightIh: weightIh!,
  weightHh: weightHh!,
  biasIh,
  biasHh,
});

const sequenceSamples = seeded(
  { time: [1, 2, 4], batch: [1, 3], inputs: [2], hidden: [1, 3, 16] },
  (sizes, seed) => {
    const { time, batch, inputs, hidden } = sizes;
    const draw = (name: string, ...shape: number[]): Tensor => normals(stream(seed, name), shape, 0.6);
    return {
      f: (...xs) => gruSequence(named(xs)),
      inputs: [
        draw("x", time, batch, inputs),
        draw("h", batch, hidden),
        draw("wi", 3 * hidden, inputs),
        draw("wh", 3 * hidden, hidden),
        draw("bi", 3 * hidden),
        draw("bh", 3 * hidden),
      ],
    };
  },
);

const halved: OnStep = (state, time) => state.mul(1 / (time + 1));

/** Singles of a batch, `[time, inputs]`. */
const singles = (): Tensor[][] => ["a", "b", "c"].map((name) => [normals(stream(2, name), [4, 2])]);

const alone =
  (module: GRU): Function =>
  (x) =>
    x!.rank === 2 ? module.forward(x!.unsqueeze(0)).output.squeeze(0) : module.forward(x!).output;

const notWhole = "exponentials of whole numbers are not whole";

const promises = (reset: ResetPlace, onStep?: OnStep): LayerSubject["further"] => ({
  7: [
    check("an output does not see a later input", () => {
      const sizes = { batch: 2, inputs: 2, hidden: 20, time: 6, layers: 2, ...(onStep && { onStep }) };
      const { module, inputs } = gru(reset, sizes, 5);
      return [inputs[0]!, inputs[0]!.cast("float32")].map((x) => {
        const typed = x.dtype === "float32" ? module.to("float32") : module;
        return checkCausality((x) => typed.forward(x!).output, [x]);
      });
    }),
    check("does not see the order of a batch", () => {
      const { module, inputs } = gru(reset, { batch: 5, inputs: 2, hidden: 7, ...(onStep && { onStep }) }, 6);
      return checkEquivariance(
        (x) => module.forward(x!).output,
        [inputs[0]!],
        permutation(0, [3, 0, 4, 1, 2], 1e-13),
      );
    }),
  ],
});

const fiftySteps = (reset: ResetPlace, onStep?: OnStep): readonly Sample[] => [
  gru(reset, { batch: 8, inputs: 3, hidden: 64, time: 50, std: 0.15, ...(onStep && { onStep }) }, 8),
];

const real = (reset: ResetPlace, onStep?: OnStep) => (): readonly Sample[] => [
  gru(reset, { batch: 16, inputs: 3, hidden: 64, time: 8, std: 0.15, ...(onStep && { onStep }) }, 9),
];

const untrained = "GRU is trained";

export const recurrentRows: readonly Row[] = [
  layerRow("GRUCell", "layer", ["nn GRUCell"], {
    samples: cellSamples("after"),
    records: "gruSequence",
    fused: true,
    real: () => [cell("after", { batch: 64, inputs: 16, hidden: 64, std: 0.15 }, 1)],
    batch: () => ({
      f: (x) => {
        const { module } = cell("after", { batch: 1, inputs: 2, hidden: 3 }, 2);
        return x!.rank === 1 ? module.forward(x!.unsqueeze(0)).squeeze(0) : module.forward(x!);
      },
      singles: ["a", "b", "c"].map((name) => [normals(stream(3, name), [2])]),
    }),
    cases: ["gru-reset-variants"],
    further: {
      2: [
        property("fused against composed", cellSamples("after"), ({ f, inputs }) =>
          checkSameFunction(f, inputs, {
            tolerance: 1e-13,
            twin: (x, h, weightIh, weightHh, biasIh, biasHh) =>
              composedStep({ weightIh: weightIh!, weightHh: weightHh!, biasIh, biasHh }, x!, h!),
          }),
        ),
      ],
      8: layerOracles.cellAfter,
    },
    reasons: { 0: notWhole, 10: untrained },
  }),
  layerRow("GRUCell, reset before", "layer", ["nn GRUCell"], {
    samples: cellSamples("before"),
    records: "sigmoid",
    real: () => [cell("before", { batch: 64, inputs: 16, hidden: 64, std: 0.15 }, 1)],
    cases: ["gru-reset-variants"],
    further: { 8: layerOracles.cellBefore },
    reasons: { 0: notWhole, 2: "composed of operations itself", 10: untrained },
  }),
  layerRow("GRU", "layer", ["nn GRU"], {
    samples: samples("after"),
    records: "gruSequence",
    fused: true,
    real: real("after"),
    float32At: () => fiftySteps("after"),
    batch: () => ({
      f: alone(gru("after", { batch: 1, inputs: 2, hidden: 3 }, 1).module),
      singles: singles(),
    }),
    cases: ["gru-reset-variants", "memory-growth"],
    further: {
      ...promises("after"),
      2: [
        property("fused against composed", sequenceSamples, ({ f, inputs }) =>
          checkSameFunction(f, inputs, { twin: (...xs) => composedSequence(named(xs)), tolerance: 1e-13 }),
        ),
      ],
      8: layerOracles.gruAfter,
      10: [check("the recurrent model", () => checkTrainedModel("rnn_small"))],
    },
    reasons: { 0: notWhole },
  }),
  layerRow("GRU, reset before", "layer", ["nn GRU"], {
    samples: samples("before"),
    records: "sigmoid",
    real: real("before"),
    float32At: () => fiftySteps("before"),
    batch: () => ({
      f: alone(gru("before", { batch: 1, inputs: 2, hidden: 3 }, 1).module),
      singles: singles(),
    }),
    cases: ["gru-reset-variants"],
    further: { ...promises("before"), 8: layerOracles.gruBefore },
    reasons: { 0: notWhole, 2: "composed of operations itself", 10: untrained },
  }),
  layerRow("GRU, states changed", "layer", ["nn GRU"], {
    samples: samples("after", halved),
    records: "gruStep",
    fused: true,
    real: real("after", halved),
    float32At: () => fiftySteps("after", (state) => state.mul(0.9)),
    further: {
      ...promises("after", halved),
      2: [
        property(
          "a hook that changes nothing",
          samples("after", (state) => state.mul(1)),
          ({ f, inputs }) => {
            const layers = inputs[1]!.shape[0]!;
            const bias = inputs.length === 2 + 4 * layers;
            const module = new GRU(inputs[0]!.shape[2]!, inputs[1]!.shape[2]!, {
              rng: stream(1, "w"),
              dtype,
              numLayers: layers,
              bias,
            });
            const call: Function = (x, h) => {
              const { output, hidden: last } = module.forward(x!, h);
              return output.mul(last.sum(0).unsqueeze(1).add(1));
            };
            const twin = moduleSample(module, call, inputs.slice(0, 2)).f;
            return checkSameFunction(f, inputs, { twin, tolerance: 1e-13 });
          },
        ),
      ],
    },
    reasons: { 0: notWhole, 8: "the row GRU has it; no library changes states between steps", 10: untrained },
  }),
];
