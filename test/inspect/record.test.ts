import { describe, expect, test } from "vitest";
import { asTensor, noGrad, randomNormal, scope, tensor, type Tensor } from "../../src/autograd/index.js";
import { generator } from "../../src/random/index.js";
import { fromJson, inspect, type InspectDocument, type Summary } from "../../src/inspect/index.js";
import { GRU, GRUCell, Linear, Module, mseLoss, Sequential, TransformerBlock } from "../../src/nn/index.js";

const rng = (): ReturnType<typeof generator> => generator(7).stream("inspect");
const numbers = ({ values }: Summary): number[] => values!.map(fromJson);

/** The last event that reached a node tells its gradient. */
function gradient({ events }: InspectDocument, node: number): Summary | undefined {
  const last = events.findLast(({ to, part }) => to === node && part !== null);
  return last && (last.sum ?? last.part!);
}

const idOf = ({ nodes }: InspectDocument, name: string): number =>
  nodes.findIndex((node) => node.name === name);
const opsOf = ({ nodes }: InspectDocument): string[] => nodes.flatMap(({ op }) => op ?? []);

/** Every leaf's gradient in the document beside what backward() gives, bit for bit. */
function expectGradients(document: InspectDocument, leaves: Record<string, Tensor>, run: () => Tensor): void {
  for (const leaf of Object.values(leaves)) leaf.grad = undefined;
  run().sum().backward();
  for (const [name, leaf] of Object.entries(leaves)) {
    const found = gradient(document, idOf(document, name));
    expect(found, name).toBeDefined();
    expect(numbers(found!), name).toEqual([...leaf.grad!.values()]);
  }
}

describe("inspect", () => {
  const x = tensor([1, 2], { requiresGrad: true });
  const shift = tensor([3, 4]);
  const f = (a: Tensor): Tensor => a.mul(a).add(shift.exp()).sum();

  test("records values, and the contributions to each gradient in the order in which they are added", () => {
    const document = inspect(f, [x], { names: ["x"], named: { shift } });
    expect(opsOf(document)).toEqual(["mul", "exp", "add", "sum", "reshape"]);
    const [xNode, shiftNode, mul, exp, add, sum, scalar] = document.nodes;
    expect(xNode).toMatchObject({ id: 0, kind: "leaf", name: "x", shape: [2], dtype: "float32" });
    expect(shiftNode).toMatchObject({ kind: "constant", name: "shift", requiresGrad: false });
    expect(mul).toMatchObject({
      op: "mul",
      inputs: [0, 0],
      value: { values: [1, 4], range: [1, 4], zeros: 0 },
    });
    expect(exp).toMatchObject({ requiresGrad: false });
    expect(document.operations.mul!.rules).toEqual(["g·b", "g·a"]);
    expect(document.output).toBe(scalar!.id);
    const seen = document.events.map(({ from, input, to, part, sum: total }) => [
      from,
      input,
      to,
      numbers(part!),
      total && numbers(total),
    ]);
    expect(seen).toEqual([
      [null, 0, scalar!.id, [1], undefined],
      [scalar!.id, 0, sum!.id, [1], undefined],
      [sum!.id, 0, add!.id, [1, 1], undefined],
      [add!.id, 0, mul!.id, [1, 1], undefined],
      [mul!.id, 0, 0, [1, 2], undefined],
      [mul!.id, 1, 0, [1, 2], [2, 4]],
    ]);
    expect(numbers(document.events[4]!.local!)).toEqual([1, 2]);
    expect(document.start).toBe("one");
    expect(x.grad).toBeUndefined();
  });

  test("is plain JSON, NaN, infinities and −0 included", () => {
    const document = inspect((a) => a.log().mul(-1), [tensor([0, -1, 1])]);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    const { value } = document.nodes.find(({ op }) => op === "log")!;
    expect(value).toMatchObject({
      values: ["-Infinity", "NaN", 0],
      range: [0, 0],
      nan: 1,
      negInf: 1,
      zeros: 1,
    });
    expect(document.nodes[document.output]!.value.values).toEqual(["Infinity", "NaN", "-0"]);
    expect(document.start).toBe("ones");
  });

  test("summarises large arrays and keeps small ones whole", () => {
    const big = asTensor(
      Array.from({ length: 6 }, (_, i) => Array.from({ length: 10 }, (__, j) => 10 * i + j)),
    );
    const document = inspect((a) => a.mul(2), [big], { full: 59 });
    const { value } = document.nodes[document.output]!;
    expect(value.values).toBeUndefined();
    expect(value.corner).toEqual([
      [0, 2, 4, 6],
      [20, 22, 24, 26],
      [40, 42, 44, 46],
      [60, 62, 64, 66],
    ]);
    expect(value.histogram).toHaveLength(16);
    expect(value.histogram!.reduce((sum, count) => sum + count)).toBe(60);
    expect(value).toMatchObject({ range: [0, 118], mean: 59, zeros: 1 });
    expect(fromJson(value.norm)).toBeCloseTo(Math.sqrt(4 * ((59 * 60 * 119) / 6)), 9);
    expect(inspect((a) => a.mul(2), [big], { full: 60 }).nodes[0]!.value.values).toHaveLength(60);
  });

  test("its gradients are those of backward, bit for bit, and its contributions add up to them in their order", () => {
    const block = new TransformerBlock(8, { heads: 2, feedForward: 12, rng: rng() });
    const series = randomNormal(generator(1).stream("x"), [2, 5, 8]);
    const run = (): Tensor => block.forward(series).square().sum();
    const document = inspect(run, [], { modules: block, named: { series }, full: 1000 });
    const leaves = Object.fromEntries(block.namedParameters());
    expectGradients(document, leaves, run);
    expect(document.nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(leaves)));

    const sums = new Map<number, Float32Array>();
    for (const { to, part, sum } of document.events) {
      const before = sums.get(to);
      const own = numbers(part!);
      const total = before
        ? Float32Array.from(own, (value, i) => before[i]! + value)
        : Float32Array.from(own);
      sums.set(to, total);
      if (before) expect(numbers(sum!)).toEqual([...total]);
      else expect(sum).toBeUndefined();
    }
    expect(document.events.some(({ sum }) => sum)).toBe(true);
  });

  test("tells the module that each operation belongs to, and leaves modules as they were", () => {
    const model = new Sequential([
      new Linear(3, 4, { rng: rng() }),
      (v) => v.relu(),
      new Linear(4, 1, { rng: rng() }),
    ]);
    const before = JSON.stringify(Object.getOwnPropertyNames(model));
    const document = inspect(model, [tensor([[1, 2, 3]])]);
    const pathOf = (op: string): (string | undefined)[] =>
      document.nodes.filter((node) => node.op === op).map(({ call }) => document.calls[call!]?.path);
    expect(document.subject).toBe("Sequential");
    expect(pathOf("affine")).toHaveLength(2);
    expect(new Set(pathOf("affine")).size).toBe(2);
    expect(pathOf("relu")).toEqual([""]);
    expect(document.calls[0]).toMatchObject({ path: "", type: "Sequential", method: "forward", index: 0 });
    expect(document.calls.slice(1).map(({ parent }) => parent)).toEqual([0, 0]);
    expect(JSON.stringify(Object.getOwnPropertyNames(model))).toBe(before);
  });

  test("notes a forward that is a property of its own", () => {
    class Double extends Module {
      forward = (a: Tensor): Tensor => a.mul(2);
    }
    const double = new Double();
    const own = Object.getOwnPropertyDescriptor(double, "forward");
    const document = inspect(double, [x]);
    expect(document.calls).toMatchObject([{ type: "Double", method: "forward" }]);
    expect(Object.getOwnPropertyDescriptor(double, "forward")).toEqual(own);
  });

  test("takes a module that throws as it was, too", () => {
    const layer = new Linear(3, 4, { rng: rng() });
    expect(() => inspect(layer, [tensor([[1, 2]])])).toThrow("E_SHAPE");
    expect(Object.getOwnPropertyNames(layer)).not.toContain("forward");
  });

  test("a recurrent layer: one node when fused, its time steps when not", () => {
    const gru = new GRU(2, 3, { rng: rng() });
    const series = randomNormal(generator(2).stream("x"), [1, 4, 2]);
    const run = (): Tensor => gru.forward(series).output.square().sum();
    const fused = inspect(run, [], { modules: { gru } });
    expect(opsOf(fused)).toContain("gruSequence");
    const unfused = inspect(run, [], { modules: { gru }, unfused: true, full: 100 });
    expect(unfused.unfused).toBe(true);
    expect(opsOf(unfused)).not.toContain("gruSequence");
    const times = unfused.nodes.filter(({ op }) => op === "tanh").map(({ time }) => time);
    expect(times).toEqual([0, 1, 2, 3]);
    for (const [name, parameter] of gru.namedParameters()) {
      parameter.grad = undefined;
      run().backward();
      const found = numbers(gradient(unfused, idOf(unfused, `gru.${name}`))!);
      parameter.grad!.values().forEach((value, i) => expect(found[i]).toBeCloseTo(value, 5));
    }
  });

  test("a GRUCell called again and again: each call is a time step", () => {
    const cell = new GRUCell(2, 3, { rng: rng() });
    const run = (a: Tensor): Tensor => {
      let h = cell.forward(a);
      for (let t = 1; t < 3; t++) h = cell.forward(a, h);
      return h;
    };
    const document = inspect(run, [tensor([[1, 2]])], { modules: { cell } });
    const steps = document.nodes.filter(({ op }) => op === "gruSequence");
    expect(steps.map(({ time }) => time)).toEqual([0, 1, 2]);
    expect(steps.map(({ call }) => document.calls[call!]!.index)).toEqual([0, 1, 2]);
  });

  test("notes the lines of code only when asked", () => {
    const here = Number(/record\.test\.ts:(\d+)/.exec(new Error().stack!)![1]);
    const g = (a: Tensor): Tensor => a.exp();
    const { nodes } = inspect(g, [x], { sources: true });
    expect(nodes.at(-1)!.source).toMatchObject({ line: here + 1, within: "g" });
    expect(nodes.at(-1)!.source!.file).toMatch(/record\.test\.ts$/);
    expect(inspect(g, [x]).nodes.at(-1)!.source).toBeUndefined();
  });

  test("takes a cotangent, records within noGrad, and knows a copy without gradient", () => {
    const document = noGrad(() => inspect((a) => a.mul(a.detach()), [x], { cotangent: [10, 100] }));
    expect(document.start).toBe("given");
    expect(numbers(gradient(document, 0)!)).toEqual([10, 200]);
    expect(document.nodes[1]).toMatchObject({ kind: "constant", copyOf: 0 });
  });

  test("says in events where a rule hands nothing on", () => {
    const gru = new GRU(1, 2, { rng: rng(), onStep: (h) => h.mul(0.5) });
    const document = inspect(
      (series) => mseLoss(gru.forward(series).hidden.squeeze(0), tensor([[1, 2]])),
      [tensor([[[1], [2]]])],
      { modules: { gru } },
    );
    const nothing = document.events.filter(({ part }) => part === null);
    expect(nothing.length).toBeGreaterThan(0);
    expect(nothing.every(({ from }) => document.nodes[from!]!.op === "gruStep")).toBe(true);
    expect(document.nodes.filter(({ op }) => op === "gruStep").map(({ time }) => time)).toEqual([0, 1]);
  });

  test.each([
    [
      "no function",
      () => inspect(3 as never, []),
      "E_VALUE: inspect: expected a function of tensors or a module",
    ],
    ["no list", () => inspect(f, x as never), "E_VALUE: inspect: expected a list of inputs"],
    [
      "no tensor",
      () => inspect((() => 1) as never, []),
      "E_VALUE: inspect: expected the function to return a tensor, got",
    ],
    [
      "a record of tensors",
      () => inspect(new GRU(1, 2, { rng: rng() }) as never, [tensor([[[1]]])]),
      "choose one of output, hidden",
    ],
    [
      "a wrong cotangent",
      () => inspect(f, [x], { cotangent: [1, 2, 3] }),
      "E_SHAPE: inspect: expected a cotangent",
    ],
    ["a wrong full", () => inspect(f, [x], { full: 0 }), "E_VALUE: inspect: expected full"],
    [
      "a result from a scope",
      () => inspect((a) => scope(() => a.exp()), [x]),
      "E_SCOPE: inspect: the function returned its result from a scope",
    ],
    [
      "no module",
      () => inspect(f, [x], { modules: { a: 3 as never } }),
      "E_VALUE: inspect: expected modules.a",
    ],
  ])("refuses %s", (_, run, message) => expect(run).toThrow(message));
});
