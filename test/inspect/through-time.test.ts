import { describe, expect, test } from "vitest";
import { gradients, randomNormal, tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import {
  fromJson,
  inspect,
  inspectStep,
  throughTime,
  trainingStep,
  type InspectDocument,
  type InspectOptions,
  type RecurrentLayer,
} from "../../src/inspect/index.js";
import { GRU, GRUCell, Linear, Module, mseLoss } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";

const rng = (): ReturnType<typeof generator> => generator(5).stream("time");
const series = randomNormal(generator(9).stream("x"), [2, 5, 3], { dtype: "float64" });
const norm = (x: Tensor): number => Math.hypot(...x.values());
const recorded = (
  run: () => Tensor,
  modules: Record<string, Module>,
  options: InspectOptions = {},
): InspectDocument =>
  JSON.parse(JSON.stringify(inspect(run, [], { modules, ...options }))) as InspectDocument;
const column = (layer: RecurrentLayer, of: "gradient" | "norm"): number[] =>
  layer.steps.map((step) => fromJson(step[of]!));
const close = (found: readonly number[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 9));
};

/** A layer that hands out its states, and what flows to them. */
function watched(options: { readonly reset?: "before" } = {}): {
  gru: GRU;
  loss: () => Tensor;
  expected: () => { states: number[]; gradients: number[]; first: Tensor };
} {
  const seen: Tensor[] = [];
  const make = (onStep?: (h: Tensor) => Tensor): GRU =>
    new GRU(3, 4, { rng: rng(), dtype: "float64", ...options, ...(onStep && { onStep }) });
  const [gru, twin] = [make(), make((h) => (seen.push(h), h))];
  const lossOf = (layer: GRU): Tensor =>
    layer
      .forward(series)
      .output.slice([null, [2, null, 2]])
      .square()
      .sum();
  return {
    gru,
    loss: () => lossOf(gru),
    expected: () => {
      const loss = lossOf(twin);
      return {
        states: seen.map(norm),
        gradients: gradients(loss, seen).map((g) => norm(g!)),
        first: seen[0]!,
      };
    },
  };
}

describe("throughTime", () => {
  test.each<[string, InspectOptions, "each step" | "one operation"]>([
    ["unfused", { unfused: true }, "each step"],
    ["in one operation, computed again", { replayable: true }, "one operation"],
  ])("a GRU %s: states, gradients at them, gains", (_, options, how) => {
    const { gru, loss, expected } = watched();
    const [layer, ...others] = throughTime(recorded(loss, { gru }, options));
    const { states, gradients: flowing } = expected();
    expect(others).toEqual([]);
    expect(layer).toMatchObject({ path: "gru", type: "GRU", recorded: how });
    close(column(layer!, "norm"), states);
    close(column(layer!, "gradient"), flowing);
    const gains = layer!.steps.map(({ gain }) => gain && fromJson(gain));
    expect(gains[0]).toBeNull();
    close(
      gains.slice(1) as number[],
      flowing.slice(1).map((value, t) => flowing[t]! / value),
    );
  });

  test.each<[string, InspectOptions, { reset?: "before" }]>([
    ["unfused", { unfused: true }, {}],
    ["in one operation", { replayable: true }, {}],
    ["with the reset gate before the product", {}, { reset: "before" }],
  ])("the gates of a GRU %s are those of its formula", (_, options, settings) => {
    const { gru, loss } = watched(settings);
    const [layer] = throughTime(recorded(loss, { gru }, options));
    const { weight_ih_l0, bias_ih_l0, bias_hh_l0 } = gru as unknown as Record<string, Tensor>;
    const x = series.slice([null, 0]);
    const rows = (w: Tensor, part: number): Tensor => w.slice([[4 * part, 4 * part + 4]]);
    const project = (part: number): Tensor =>
      x.matmul(rows(weight_ih_l0!, part), { transposeB: true }).add(rows(bias_ih_l0!, part));
    const hidden = (part: number): Tensor => rows(bias_hh_l0!, part);
    const r = project(0).add(hidden(0)).sigmoid();
    const z = project(1).add(hidden(1)).sigmoid();
    const n = project(2)
      .add(settings.reset ? hidden(2) : r.mul(hidden(2)))
      .tanh();
    const gates = layer!.steps[0]!.gates!;
    for (const [gate, values] of [
      ["reset", r],
      ["update", z],
      ["candidate", n],
    ] as const) {
      const all = [...values.values()];
      expect(fromJson(gates[gate].mean!)).toBeCloseTo(all.reduce((sum, v) => sum + v) / all.length, 9);
      close(gates[gate].range!.map(fromJson), [Math.min(...all), Math.max(...all)]);
    }
    expect(layer!.steps.every((step) => step.gates)).toBe(true);
  });

  test("a state that is changed after each step is the one that goes on", () => {
    const step = trainingStep("rnn_small", { idea: "moment-rank2", steps: 4, batch: 2 });
    const document = inspectStep(step, { replayable: true });
    const [layer] = throughTime(document);
    expect(layer!.steps).toHaveLength(4);
    for (const { state, gates, gradient } of layer!.steps) {
      expect(document.nodes[state!]!.op).toBe("compressMatrices");
      expect(fromJson(gradient!)).toBeGreaterThan(0);
      expect(gates!.update.range!.map(fromJson).every((z) => z > 0 && z < 1)).toBe(true);
    }
    const plain = throughTime(inspectStep(step, {}))[0]!;
    expect(plain.steps.map(({ gradient }) => gradient)).toEqual(layer!.steps.map(({ gradient }) => gradient));
    expect(plain.steps[0]!.gates).toBeUndefined();
  });

  test("layers above one another, and cells in turn, are told apart", () => {
    const gru = new GRU(3, 4, { rng: rng(), numLayers: 2, dtype: "float64" });
    const stacked = (options: InspectOptions): readonly RecurrentLayer[] =>
      throughTime(recorded(() => gru.forward(series).hidden.sum(), { gru }, options));
    const [one, other] = [stacked({ unfused: true }), stacked({ replayable: true })];
    expect(one.map(({ steps }) => steps.length)).toEqual([5, 5]);
    one.forEach((layer, i) => close(column(layer, "gradient"), column(other[i]!, "gradient")));

    const cells = { low: new GRUCell(3, 4, { rng: rng() }), high: new GRUCell(4, 2, { rng: rng() }) };
    const both = (): Tensor => {
      let [h, g] = [zeros([2, 4]), zeros([2, 2])];
      for (let t = 0; t < 4; t++) {
        h = cells.low.forward(series.slice([null, t]).cast("float32"), h);
        g = cells.high.forward(h, g);
      }
      return g.sum();
    };
    for (const options of [{ replayable: true }, { unfused: true }]) {
      const found = throughTime(recorded(both, cells, options));
      expect(found.map(({ path, steps }) => [path, steps.length])).toEqual([
        ["low", 4],
        ["high", 4],
      ]);
      expect(
        found.every(({ steps }) => steps.every(({ gates, gradient }) => gates && gradient !== null)),
      ).toBe(true);
    }
  });

  class PlainCell extends Module {
    readonly inward = new Linear(3, 4, { rng: rng(), dtype: "float64" });
    readonly onward = new Linear(4, 4, { rng: rng(), dtype: "float64" });
    forward(x: Tensor, h: Tensor): Tensor {
      return this.inward.forward(x).add(this.onward.forward(h)).tanh();
    }
  }

  test("a plain RNN, a module that is called again and again", () => {
    const cell = new PlainCell();
    const states: Tensor[] = [];
    const loss = (): Tensor => {
      let h = zeros([2, 4], { dtype: "float64" });
      for (let t = 0; t < 5; t++) {
        h = cell.forward(series.slice([null, t]), h);
        states.push(h);
      }
      return mseLoss(h, zeros([2, 4], { dtype: "float64" }));
    };
    const expected = gradients(loss(), states).map((g) => norm(g!));
    const [layer, ...others] = throughTime(recorded(loss, { cell }));
    expect(others).toEqual([]);
    expect(layer).toMatchObject({ path: "cell", type: "PlainCell", recorded: "each step" });
    close(column(layer!, "gradient"), expected);
    expect(layer!.steps[0]!.gates).toBeUndefined();
  });

  test("nothing of a network without time; no steps where an operation hides them; not computed is not 0", () => {
    const layers = [new Linear(2, 2, { rng: rng() }), new Linear(2, 2, { rng: rng() })];
    const forward = (): Tensor => layers.reduce((x, layer) => layer.forward(x).relu(), tensor([[1, 2]]));
    expect(throughTime(recorded(forward, { a: layers[0]!, b: layers[1]! }))).toEqual([]);
    const { gru, loss } = watched();
    expect(throughTime(recorded(loss, { gru }))).toEqual([
      { path: "gru", type: "GRU", recorded: "one operation", steps: [] },
    ]);
    const none = throughTime(recorded(() => loss().detach().add(1), { gru }, { unfused: true }))[0]!;
    expect(none.steps.every(({ gradient, gain }) => gradient === null && gain === null)).toBe(true);
  });
});
