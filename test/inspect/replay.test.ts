import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  argmax,
  concat,
  defineOp,
  einsum,
  grad,
  noGrad,
  normalize,
  pad,
  rules,
  randomNormal,
  scatterAdd,
  tensor,
  type Tensor,
  type TensorData,
} from "../../src/autograd/index.js";
import {
  inspect,
  inspectStep,
  replay,
  trainingStep,
  type Change,
  type InspectDocument,
  type InspectOptions,
} from "../../src/inspect/index.js";
import { operationText } from "../../src/inspect/operation-text.js";
import { replayableOperations } from "../../src/inspect/replay/operations.js";
import {
  attention,
  crossEntropy,
  Dropout,
  GRU,
  LayerNorm,
  Linear,
  MultiHeadAttention,
} from "../../src/nn/index.js";
import { restorePowers } from "../../src/ideas/moment-rank2/power/restore-powers.js";
import { residualPivotedAttention } from "../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../src/random/index.js";
import { NDArray } from "../../src/tensor/index.js";
import { graphs } from "../../src/testing/arbitraries/index.js";

type Run = (...inputs: Tensor[]) => Tensor;

const rng = (): ReturnType<typeof generator> => generator(11).stream("replay");
const normal = (...shape: number[]): Tensor => randomNormal(generator(3).stream(String(shape)), shape);
const recorded = (f: Run, inputs: readonly Tensor[], options: InspectOptions = {}): InspectDocument =>
  inspect(f, inputs, { replayable: true, ...options });
/** As another program reads it. */
const read = (document: InspectDocument): InspectDocument =>
  JSON.parse(JSON.stringify(document)) as InspectDocument;

function withElement(x: Tensor, at: number, value: number): Tensor {
  const values = x.values();
  values[at] = value;
  return tensor(values, { shape: x.shape });
}

function indexOf(at: number, shape: readonly number[]): number[] {
  return shape.reduceRight<[number[], number]>(
    ([index, rest], size) => [[rest % size, ...index], Math.floor(rest / size)],
    [[], at],
  )[0];
}

const whole = (data: TensorData): Tensor => tensor(data, { dtype: "int32" });

/** Part by part, so that a difference is read easily, then as text: also −0 and the order of properties. */
function expectSame(found: InspectDocument, expected: InspectDocument): void {
  expect(found.recording).toEqual(expected.recording);
  found.nodes.forEach((node, i) => expect(node).toEqual(expected.nodes[i]));
  found.events.forEach((event, i) => expect(event).toEqual(expected.events[i]));
  expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
}

/** Unchanged the same document; with one element changed that of a new inspection: every bit of both. */
function expectReplays(make: () => Run, inputs: readonly Tensor[], options: InspectOptions = {}): void {
  const document = recorded(make(), inputs, options);
  expectSame(replay(read(document)), document);
  inputs.forEach((x, node) => {
    if (x.size === 0) return;
    const at = x.size - 1;
    const value = x.values()[at]! * 0.75 + 0.125;
    const edited = inputs.map((other, i) => (i === node ? withElement(other, at, value) : other));
    const change: Change = { node, element: indexOf(at, x.shape), value };
    expectSame(replay(read(document), [change]), recorded(make(), edited, options));
  });
}

describe("replay", () => {
  test("of random graphs is the library, bit for bit, unchanged and edited", () => {
    fc.assert(
      fc.property(graphs({ maxSteps: 10, kinks: true }), ({ f, inputs }) => {
        expectReplays(() => f, inputs);
      }),
      { numRuns: 60 },
    );
  });

  const x = normal(3, 4);
  const y = normal(4, 3);
  test.each<[string, () => Run, readonly Tensor[]]>([
    ["indexing", () => (a) => a.gather(whole([2, 0, 2])).takeAlongAxis(whole([[1], [0], [3]])), [x]],
    ["an index that was computed", () => (a) => a.gather(argmax(a, 0)), [x]],
    ["adding at an index", () => (a, b) => scatterAdd(a, whole([1, 1, 0]), b), [x, normal(3, 4)]],
    [
      "pieces",
      () => (a) =>
        concat(
          [
            a.slice([[0, null, 2]]),
            pad(
              a,
              [
                [1, 0],
                [0, 0],
              ],
              -0,
            ),
          ],
          0,
        ).flip(1),
      [x],
    ],
    ["triangles and shapes", () => (a) => a.tril(1).permute([1, 0]).unsqueeze(0).expand([2, 4, 3]), [x]],
    ["einsum", () => (a, b) => einsum("ij,jk->ik", a, b), [x, y]],
    [
      "factors",
      () => (a) =>
        a
          .matmul(a, { transposeB: true })
          .add(
            tensor([
              [4, 0, 0],
              [0, 4, 0],
              [0, 0, 4],
            ]),
          )
          .cholesky()
          .solveTriangular(a),
      [x],
    ],
    ["a mask that was computed", () => (a) => a.where(a.less(0.3), a.clip(-Infinity, 0)), [x]],
    ["a truth value as a number", () => (a) => a.greater(0).cast("float32").mul(a).add(a.less(0).sum()), [x]],
    ["a copy without gradient", () => (a) => a.mul(a.exp().detach()).mul(a.detach()), [x]],
    ["noGrad inside", () => (a) => a.mul(noGrad(() => a.exp())), [x]],
    [
      "scans and norms",
      () => (a) =>
        normalize(a.cumsum(0))
          .mul(a.norm(1, { keepDims: true }))
          .cumprod(1),
      [x],
    ],
    ["other types", () => (a) => a.cast("float64").exp().cast("float32").mul(a), [x]],
    ["a derivative inside", () => (a) => grad((b: Tensor) => b.pow(3).sum())(a).mul(a), [x]],
    ["values that are not finite", () => (a) => a.mul(0).log().sub(a.reciprocal().exp()), [x]],
    ["dropout, which draws", () => (a) => new Dropout({ p: 0.5, rng: rng() }).forward(a), [x]],
    [
      "attention with a mask",
      () => (a) =>
        attention(a, a.mul(2), a, {
          attnMask: tensor([
            [false, true, false],
            [true, true, true],
            [false, false, true],
          ]),
        }),
      [normal(2, 2, 3, 4)],
    ],
    [
      "attention with a mask that was computed",
      () => (a) => attention(a, a, a, { causal: true, attnMask: a.slice([0, 0, null, [0, 3]]).greater(0.9) }),
      [normal(1, 2, 3, 4)],
    ],
    [
      "attention that draws pivots",
      () => (a) =>
        residualPivotedAttention(a, a.mul(0.5), a, {
          rank: 2,
          rng: rng(),
          keyMask: tensor([true, true, true, false, true]),
        }).output,
      [normal(5, 4)],
    ],
    [
      "causal attention that draws pivots",
      () => (a) =>
        residualPivotedAttention(a, a.mul(0.5), a, { rank: 2, rng: rng(), causal: true, chunk: 2 }).output,
      [normal(6, 4)],
    ],
  ])("%s", (_, make, inputs) => {
    expectReplays(make, inputs);
    expectReplays(make, inputs, { unfused: true });
  });

  test("of layers: their parameters can be changed too", () => {
    const gru = new GRU(4, 3, { rng: rng(), onStep: (h) => h.mul(0.5) });
    const layers = {
      gru,
      norm: new LayerNorm(3),
      head: new Linear(3, 4, { rng: rng() }),
      heads: new MultiHeadAttention(4, 2, { rng: rng() }),
    };
    const run: Run = (series) => {
      const mixed = layers.heads.forward(
        layers.norm.forward(gru.forward(series).output).matmul(normal(3, 4)),
      );
      return crossEntropy(
        layers.head.forward(layers.norm.forward(gru.forward(mixed).hidden.squeeze(0))),
        whole([1, 3]),
      );
    };
    expectReplays(() => run, [normal(2, 5, 4)], { modules: layers });
    const document = recorded(run, [normal(2, 5, 4)], { modules: layers });
    for (const [name, weight] of [
      ["gru.weight_hh_l0", gru.namedParameters()],
      ["head.weight", layers.head.namedParameters()],
    ] as const) {
      const node = document.nodes.findIndex((one) => one.name === name);
      const parameter = [...weight].find(([own]) => name.endsWith(own))![1];
      const before = parameter.detach();
      parameter.assign(withElement(parameter, 2, 0.75));
      const fresh = recorded(run, [normal(2, 5, 4)], { modules: layers });
      parameter.assign(before);
      const found = replay(document, [{ node, element: indexOf(2, parameter.shape), value: 0.75 }]);
      expectSame(found, fresh);
    }
  });

  test("of means that are restored", () => {
    expectReplays(
      () => (a, b) => restorePowers(a, b, { count: 3, fallback: "fewer" }),
      [normal(3, 8), normal(3, 8).mul(0.5)],
    );
  });

  test.each<[string, string | undefined, boolean]>([
    ["rnn_small", undefined, true],
    ["rnn_small", "moment-rank2", false],
    ["transformer_tiny", undefined, true],
    ["transformer_tiny", "residual-pivoted", false],
  ])("of a training step of %s with %s, unfused: %s", (name, idea, unfused) => {
    const document = inspectStep(trainingStep(name, { steps: 4, batch: 2, idea }), {
      replayable: true,
      unfused,
    });
    expectSame(replay(read(document)), document);
  });

  test("takes all values of a leaf, several changes, and what it made itself", () => {
    const document = recorded((a, b) => a.mul(b).sum(), [tensor([1, 2]), tensor([3, 4])]);
    const once = replay(document, [
      { node: 0, values: [5, 6] },
      { node: 1, element: [0], value: 7 },
    ]);
    expect(once.nodes[document.output]!.value.values).toEqual([5 * 7 + 6 * 4]);
    const twice = replay(once, [{ node: 1, element: [1], value: 0 }]);
    expect(twice.nodes[document.output]!.value.values).toEqual([35]);
    expect(twice.events.findLast(({ to }) => to === 0)!.part!.values).toEqual([7, 0]);
  });

  test("keeps a cotangent that was given", () => {
    const document = recorded((a) => a.square(), [tensor([1, 2])], { cotangent: [10, 100] });
    expectSame(replay(read(document)), document);
  });

  test("in float64 is the computation in float64", () => {
    const [document] = [recorded((a) => a.cast("float32").exp().sum(), [x])];
    const wide = replay(document, [], { dtype: "float64" });
    const other = inspect((a) => a.exp().sum(), [x.cast("float64")]);
    expect(wide.nodes[wide.output]!.value).toEqual(other.nodes[other.output]!.value);
    expect(wide.nodes.map(({ dtype }) => dtype)).toEqual(wide.nodes.map(() => "float64"));
  });

  const double = defineOp<{ readonly by: number }>({
    name: "double",
    forward: ([a], { by }) =>
      new NDArray(
        a!.shape,
        a!.dtype,
        a!.data.map((value) => value * by),
      ),
    vjp: ({ cotangent, attributes: { by } }) => [cotangent.mul(by)],
  });
  const listens = defineOp<{ readonly tell: () => void }>({
    name: "listens",
    forward: ([a]) => new NDArray(a!.shape, a!.dtype, a!.data.slice()),
    vjp: ({ cotangent }) => [cotangent],
  });
  /** Of the name of an operation of the package, but not that operation. */
  const tanh = defineOp({
    name: "tanh",
    forward: ([a]) =>
      new NDArray(
        a!.shape,
        a!.dtype,
        a!.data.map((value) => value * 3),
      ),
    vjp: ({ cotangent }) => [cotangent.mul(3)],
  });

  test("of operations that were made with defineOp needs them", () => {
    const document = recorded((a) => double([tanh([a])], { by: 2 }), [tensor([1, 2])]);
    expect(() => replay(document)).toThrow(
      /E_REPLAY: replay: tanh #1 is no operation of the package.*operations: \{ "tanh"/,
    );
    expect(() => replay(document, [], { operations: { tanh } })).toThrow("double #2");
    const found = replay(read(document), [{ node: 0, element: [0], value: 4 }], {
      operations: { tanh, double },
    });
    expect(found.nodes[2]!.value.values).toEqual([24, 12]);
    expect(() => replay(document, [], { operations: { tanh: () => 1 } })).toThrow("E_VALUE");
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      "a document without values",
      () => replay(inspect((a) => a.exp(), [x])),
      /E_REPLAY: .*record it with \{ replayable: true \}/,
    ],
    [
      "one whose values are too many",
      () => replay(recorded((a) => a.exp(), [x], { replayable: 47 })),
      /E_REPLAY: .*take 48 bytes, and 47 were allowed; record it with replayable: 48 or more/,
    ],
    [
      "a setting that is code",
      () => replay(recorded((a) => listens([a], { tell: () => undefined }), [x])),
      /E_REPLAY: .*listens #1 has a setting that a document cannot hold: tell: a function/,
    ],
    [
      "a value that changed on the way",
      () =>
        replay(
          recorded(
            (a) => {
              const other = tensor([[1]]);
              const before = noGrad(() => a.mul(other));
              return before.mul(other.assign(tensor([[2]])));
            },
            [x],
          ),
        ),
      /E_REPLAY: .*assigned another value before mul #3 used it/,
    ],
    [
      "a change of a result",
      () =>
        replay(
          recorded((a) => a.exp(), [x]),
          [{ node: 1, element: [0, 0], value: 1 }],
        ),
      /E_REPLAY: .*exp #1 is the result of an operation/,
    ],
    [
      "a node that is not there",
      () =>
        replay(
          recorded((a) => a.exp(), [x]),
          [{ node: 7, values: [] }],
        ),
      /E_INDEX: .*no node 7/,
    ],
    [
      "an element that is not there",
      () =>
        replay(
          recorded((a) => a.exp(), [x]),
          [{ node: 0, element: [3, 0], value: 1 }],
        ),
      /E_INDEX: .*no element \[3, 0\]/,
    ],
    [
      "too few values",
      () =>
        replay(
          recorded((a) => a.exp(), [x]),
          [{ node: 0, values: [1] }],
        ),
      /E_SHAPE: .*expected 12 values/,
    ],
    [
      "no value",
      () =>
        replay(
          recorded((a) => a.exp(), [x]),
          [{ node: 0, element: [0, 0], value: "1" as never }],
        ),
      /E_VALUE: .*expected a number/,
    ],
    [
      "no list",
      () =>
        replay(
          recorded((a) => a.exp(), [x]),
          {} as never,
        ),
      /E_VALUE: .*list of changes/,
    ],
    ["a wrong size", () => inspect((a) => a, [x], { replayable: -1 }), /E_VALUE: .*replayable/],
  ])("refuses %s", (_, run, message) => expect(run).toThrow(message));

  test("with just enough bytes is possible", () => {
    expect(() => replay(recorded((a) => a.exp(), [x], { replayable: 48 }))).not.toThrow();
  });

  test("knows every operation of the package but parts of derivatives, by its name and in words", () => {
    const source = fileURLToPath(new URL("../../src", import.meta.url));
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const made = files.flatMap((file) =>
      [
        ...readFileSync(join(source, file), "utf8").matchAll(/defineOp(?:<\w+>)?\(\{\s*name: "([\w.]+)"/g),
      ].map(([, name]) => name!),
    );
    expect(made.length).toBeGreaterThan(20);
    const whole = made.filter((name) => !/\.|Gradient$|Tangent$/.test(name));
    expect([...replayableOperations.keys()]).toEqual(
      expect.arrayContaining([...whole, ...Object.keys(rules)]),
    );
    for (const [name, { definition }] of replayableOperations) {
      expect(definition.name).toBe(name);
      expect(operationText(name).formula).not.toContain(`${name}(a, b, …)`);
    }
  });
});
