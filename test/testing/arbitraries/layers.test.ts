import { expect, test } from "vitest";
import { vjp, zerosLike } from "../../../src/autograd/index.js";
import { layerKinds, layers } from "../../../src/testing/arbitraries/index.js";
import { always, smallest } from "./smallest.js";

test.each(layerKinds)("%s takes its inputs, and every parameter is random", (kind) => {
  let nonzero = 0;
  always(
    layers([kind]),
    (layer) => {
      const value = layer.forward(...layer.inputs);
      expect(value.dtype).toBe("float64");
      expect([...value.values()].every(Number.isFinite)).toBe(true);
      const parameters = layer.module.parameters();
      nonzero += Number(parameters.every((parameter) => parameter.values().some((v) => v !== 0)));
    },
    50,
  );
  expect(nonzero).toBeGreaterThan(0);
});

test.each(layerKinds)("%s shrinks to the smallest layer, its parameters with it", (kind) => {
  const layer = smallest(layers([kind]), () => false);
  expect(
    layer.inputs.every(
      (x) => x.size <= (kind === "MultiHeadAttention" || kind === "TransformerBlock" ? 2 : 1),
    ),
  ).toBe(true);
  expect(layer.module.namedParameters().every(([, parameter]) => Math.max(...parameter.shape) <= 6)).toBe(
    true,
  );
});

test("a GRU shrinks to the part that a failure needs", () => {
  const layer = smallest(
    layers(["GRU"]),
    ({ inputs: [x], module }) =>
      x!.shape[1]! < 2 ||
      module
        .parameters()[2]!
        .values()
        .every((v) => v <= 1),
  );
  expect(layer.inputs[0]!.shape).toEqual([1, 2, 1]);
  expect(layer.inputs[0]!.toArray()).toEqual([[[0], [0]]]);
  expect([...layer.module.parameters()[2]!.values()].sort()).toEqual([0, 0, 2]);
  expect(String(layer)).toMatch(/^GRU\(1, 1\)\.forward\(tensor\(\[\[\[0\.\],/);
  expect(String(layer)).toContain("  bias_ih_l0 = tensor(");
});

test("gradients flow to the inputs", () => {
  always(
    layers(["Linear", "LayerNorm", "GRUCell", "GRU"]),
    ({ forward, inputs }) => {
      const { value, pullback } = vjp(forward, ...inputs);
      pullback(zerosLike(value)).forEach((g, i) => expect(g.shape).toEqual(inputs[i]!.shape));
    },
    50,
  );
});

test("an unknown kind is refused", () => {
  expect(() => layers(["Conv" as "GRU"])).toThrow(
    /E_VALUE: layers: there is no kind Conv; expected one of Linear/,
  );
  expect(() => layers([])).toThrow(/E_VALUE/);
});
