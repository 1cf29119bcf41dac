import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  defineOp,
  scope,
  stopGradient,
  tensor,
  valueAndGrad,
  type Tensor,
} from "../../../src/autograd/index.js";
import { Adam, AdamW, Linear, mseLoss, Parameter, SGD, type Optimizer } from "../../../src/nn/index.js";
import { generator, type Generator } from "../../../src/random/index.js";
import { LastingStorage, liesInMemory, NDArray, poisonArena } from "../../../src/tensor/index.js";

const make: Record<string, (parameters: Iterable<Tensor>) => Optimizer> = {
  Adam: (parameters) => new Adam(parameters, { lr: 0.1, weightDecay: 0.01 }),
  AdamW: (parameters) => new AdamW(parameters, { lr: 0.1 }),
  SGD: (parameters) => new SGD(parameters, { lr: 0.1, momentum: 0.9 }),
};

const size = 70;
const numbers = (rng: Generator): Tensor => tensor(Float32Array.from(rng.normals(size)));

/** A parameter that an optimizer has taken over, and another step of it. */
function trained(name = "Adam"): { p: Parameter; optimizer: Optimizer; step: () => void } {
  const rng = generator("in place");
  const p = new Parameter(numbers(rng));
  const optimizer = make[name]!([p]);
  const step = (): void => {
    p.grad = numbers(rng);
    optimizer.step();
    p.grad = undefined;
  };
  step();
  return { p, optimizer, step };
}

describe.each(Object.keys(make))("%s", (name) => {
  it("writes steps over the values, where kernels read them without a copy", () => {
    const { p, step } = trained(name);
    const { data } = p.array;
    expect(liesInMemory(data)).toBe(true);
    const before = p.values();
    step();
    expect(p.array.data).toBe(data);
    expect(p.values()).not.toEqual(before);
  });

  it("leaves what was taken of a parameter before as it was", () => {
    const part = (of: (x: NDArray) => NDArray) =>
      defineOp({ name: "part", forward: ([x]) => of(x!), vjp: () => [undefined] });
    const holders: Record<string, (p: Parameter) => Tensor> = {
      detach: (p) => p.detach(),
      stopGradient: (p) => stopGradient(p),
      "another parameter": (p) => new Parameter(p),
      "assign to another": (p) => new Parameter(tensor(new Float32Array(size))).assign(p),
      "assign to itself": (p) => new Parameter(p.assign(p)),
      reshape: (p) => p.reshape([7, 10]),
      slice: (p) => p.slice([[0, 3]]),
      "a gradient": (p) => {
        p.grad = undefined;
        p.mul(p).sum().backward();
        return p.grad!;
      },
      "a traced value": (p) => valueAndGrad((x: Tensor) => x.reshape([10, 7]).sum())(p).gradient,
      "an operation that returns its input": (p) => part((x) => x)([p]),
      "the same elements in a new array": (p) => part((x) => NDArray.of([7, 10], x.data))([p]),
      "a short part": (p) => part((x) => NDArray.of([2], x.data.subarray(3, 5)))([p]),
      "a long part": (p) => part((x) => NDArray.of([65], x.data.subarray(3, 68)))([p]),
    };
    for (const [what, hold] of Object.entries(holders)) {
      for (const within of [(work: () => Tensor) => work(), (work: () => Tensor) => scope(work)]) {
        const { p, step } = trained(name);
        const held = within(() => hold(p));
        const values = held.values();
        step();
        step();
        expect(held.values(), what).toEqual(values);
      }
    }
  });

  it("a state dict is a copy, of a module and of the optimizer, and is one after loading", () => {
    const model = new Linear(9, 8, { rng: generator(3) });
    const optimizer = make[name]!(model.parameters());
    const x = tensor(generator(4).normals(90), { shape: [10, 9], dtype: "float32" });
    const steps = (count: number): void => {
      for (let i = 0; i < count; i++)
        optimizer.step(() => mseLoss(model.forward(x), x.slice([null, [0, 8]])));
    };
    const read = (): string => JSON.stringify([model.stateDict(), optimizer.stateDict()]);
    steps(3);
    const [state, figures, text] = [model.stateDict(), optimizer.stateDict(), read()];
    steps(2);
    const later = read();
    expect(later).not.toBe(text);
    expect(JSON.stringify([state, figures])).toBe(text);
    model.loadStateDict(state);
    optimizer.loadStateDict(figures);
    expect(read()).toBe(text);
    steps(2);
    expect(read()).toBe(later);
    expect(JSON.stringify([state, figures])).toBe(text);
  });

  it("one state loaded into two models does not tie them", () => {
    const models = [1, 2].map((seed) => new Linear(9, 8, { rng: generator(seed) }));
    const state = models[0]!.stateDict();
    for (const model of models) model.loadStateDict(state);
    models[0]!.weight.grad = tensor(new Float32Array(72).fill(1), { shape: [8, 9] });
    make[name]!([models[0]!.weight]).step();
    expect(models[0]!.weight.values()).not.toEqual(state.weight!.values());
    expect(models[1]!.weight.values()).toEqual(state.weight!.values());
  });

  it("two optimizers take turns at one parameter", () => {
    const run = (count: number, shared: boolean): Tensor => {
      const rng = generator("turns");
      let p = new Parameter(numbers(rng));
      const optimizers = [make[name]!([p]), make[name]!([p])];
      for (let i = 0; i < count; i++) {
        if (!shared) {
          // Another parameter each time: nothing is left in place from the step before.
          const states = optimizers.map((optimizer) => optimizer.stateDict());
          p = new Parameter(p);
          states.forEach((state, at) => (optimizers[at] = make[name]!([p]).loadStateDict(state)));
        }
        p.grad = numbers(rng);
        optimizers[i % 3 === 0 ? 0 : 1]!.step();
      }
      return p;
    };
    expect(run(7, true).values()).toEqual(run(7, false).values());
  });

  it("values assigned between steps are what the next one starts from, and are left as they are", () => {
    const { p, optimizer } = trained(name);
    const value = tensor(new Float32Array(size).fill(5));
    const fresh = new Parameter(value);
    p.assign(value);
    fresh.grad = p.grad = tensor(new Float32Array(size).fill(2));
    make[name]!([fresh]).loadStateDict(optimizer.stateDict()).step();
    optimizer.step();
    expect(p.values()).toEqual(fresh.values());
    expect(value.values()).toEqual(new Float32Array(size).fill(5));
  });

  it("a parameter that never had a gradient stays where it is, and its neighbours do not write over it", () => {
    const list = [1, 2, 3].map((x) => new Parameter(tensor(new Float32Array(size).fill(x))));
    const optimizer = make[name]!(list);
    const { array } = list[1]!;
    for (let i = 0; i < 3; i++) {
      list[0]!.grad = list[2]!.grad = tensor(new Float32Array(size).fill(1));
      optimizer.step();
    }
    expect(list[1]!.array).toBe(array);
    expect(list[1]!.values()).toEqual(new Float32Array(size).fill(2));
    list[1]!.grad = list[0]!.grad;
    optimizer.step();
    expect(list[1]!.values()).not.toEqual(new Float32Array(size).fill(2));
    expect(new Set(list[2]!.values()).size).toBe(1);
  });
});

describe("a parameter after training", () => {
  it("keeps its values when the optimizer is gone and others are made", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { p } = trained();
    const values = p.values();
    for (let i = 0; i < 5; i++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 5));
      trained();
    }
    expect(p.values()).toEqual(values);
  });

  it("is changed by no scope that ends, and outlives that of its first step", () => {
    poisonArena(true);
    try {
      const p = new Parameter(tensor(new Float32Array(size).fill(1)));
      const optimizer = new SGD([p], { lr: 0.5 });
      for (let i = 0; i < 3; i++) {
        optimizer.step(() => p.mul(2).sum());
        expect(p.values()).toEqual(new Float32Array(size).fill(0 - i));
      }
    } finally {
      poisonArena(false);
    }
  });
});

it("when linear memory has no room, steps write over the same storage on the heap, with the same bits", () => {
  const outcomes = (): string[] =>
    Object.keys(make).map((name) => {
      const { p, optimizer, step } = trained(name);
      const { data } = p.array;
      const short = defineOp({
        name: "short",
        forward: ([x]) => NDArray.of([2], x!.data.subarray(3, 5)),
        vjp: () => [undefined],
      })([p]);
      const values = short.values();
      step();
      expect(p.array.data).toBe(data);
      expect(short.values()).toEqual(values);
      return JSON.stringify([p, optimizer.stateDict(), liesInMemory(data)]);
    });
  const inMemory = outcomes();
  const filled: LastingStorage[] = [];
  for (let length = 2 ** 23; length >= 8;) {
    const storage = new LastingStorage("float32", length);
    if (liesInMemory(storage.elements)) filled.push(storage);
    else length /= 2;
  }
  expect(inMemory.every((text) => text.endsWith("true]"))).toBe(true);
  expect(outcomes()).toEqual(inMemory.map((text) => text.replace(/true\]$/, "false]")));
  expect(filled.length).toBeGreaterThan(0);
});
