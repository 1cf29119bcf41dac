import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import {
  Adam,
  AdamW,
  clipGradNorm,
  cosine,
  Linear,
  mseLoss,
  SGD,
  warmup,
  warmupCosine,
  type Optimizer,
} from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { expectNear } from "../near.js";
import { constant, leaf, values } from "../oracle/values.js";
import { runs } from "../../runs.js";

const make = {
  SGD: (parameters: Tensor[], options: object): Optimizer => new SGD(parameters, options as { lr: number }),
  Adam: (parameters: Tensor[], options: object): Optimizer => new Adam(parameters, options),
  AdamW: (parameters: Tensor[], options: object): Optimizer => new AdamW(parameters, options),
};

const value = (x: number, dtype: "float32" | "float64" = "float32"): Tensor =>
  tensor([x], { dtype, requiresGrad: true });

describe("against PyTorch over 20 steps", () => {
  it.each(values.optimizers)("$name $options", ({ name, options, start, steps, trace }) => {
    for (const [dtype, tolerance] of [
      ["float64", 1e-12],
      ["float32", 2e-6],
    ] as const) {
      const parameter = tensor(start, { dtype, requiresGrad: true });
      const optimizer = make[name]([parameter], options);
      steps.forEach((gradient, i) => {
        parameter.grad = tensor(gradient, { dtype });
        optimizer.step();
        expectNear(parameter, trace[i]!, tolerance, `${dtype} step ${i}`);
      });
    }
  });

  it.each(values.clipping)("clipGradNorm to $limit", ({ limit, before, norm, after }) => {
    const parameters = before.map((gradient) => {
      const parameter = leaf(gradient);
      parameter.grad = constant(gradient);
      return parameter;
    });
    expectNear(clipGradNorm(parameters, limit), norm, 1e-14);
    parameters.forEach((parameter, i) => expectNear(parameter.grad!, after[i]!, 1e-14));
  });

  it.each(values.cosine)("cosine over $steps steps", ({ lr, steps, floor, rates }) => {
    const schedule = cosine(lr, { steps, floor });
    rates.forEach((rate, step) => expect(Math.abs(schedule(step) - rate)).toBeLessThan(1e-15));
  });
});

describe("known faults", () => {
  it("adam-epsilon: epsilon stands outside the root, after bias correction", () => {
    const x = value(1);
    x.grad = tensor([1e-8]);
    new Adam([x], { lr: 1e-3, betas: [0.9, 0.999], eps: 1e-8 }).step();
    expect(Math.abs(x.item() - 0.9995)).toBeLessThan(1e-7);
  });

  it("adamw-coupling: the decay of AdamW does not pass through the gradient", () => {
    const [p, q] = [value(10), value(10)];
    p.grad = q.grad = tensor([1]);
    new AdamW([p], { lr: 0.1, weightDecay: 0.1 }).step();
    new Adam([q], { lr: 0.1, weightDecay: 0.1 }).step();
    expect(Math.abs(p.item() - 9.8)).toBeLessThan(1e-6);
    expect(Math.abs(q.item() - 9.9)).toBeLessThan(1e-6);
  });
});

describe.each(["SGD", "Adam", "AdamW"] as const)("%s", (name) => {
  const options = { lr: 0.1, ...(name === "SGD" ? { momentum: 0.9 } : {}) };
  const run = (optimizer: Optimizer, x: Tensor, count: number): void => {
    for (let i = 0; i < count; i++) {
      optimizer.zeroGrad();
      x.sub(3).square().sum().backward();
      optimizer.step();
    }
  };

  it("finds the bottom of a bowl", () => {
    const x = tensor([-1, 8], { requiresGrad: true });
    run(make[name]([x], { ...options, weightDecay: 0 }), x, 600);
    expectNear(x, [3, 3], 1e-3);
  });

  it("step(f) is forgetting, loss, backward and update in one, to the same bits, and leaves no gradient", () => {
    const make = () => {
      const p = tensor([3, -2, 0.5], { requiresGrad: true });
      return { p, optimizer: new Adam([p], { lr: 0.1 }) };
    };
    const [whole, apart] = [make(), make()];
    for (let i = 0; i < 5; i++) {
      whole.p.grad = tensor([100, 100, 100]);
      const loss = whole.optimizer.step(() => whole.p.square().sum());
      apart.optimizer.zeroGrad();
      const expected = apart.p.square().sum();
      expected.backward();
      apart.optimizer.step();
      expect(loss.item()).toBe(expected.item());
      expect(whole.p.toArray()).toEqual(apart.p.toArray());
      expect(whole.p.grad).toBeUndefined();
      expect(loss.requiresGrad).toBe(false);
    }
    expect(() => whole.optimizer.step(() => 1 as never)).toThrow(/E_VALUE.*step\(f\).*number/s);
    expect(() => whole.optimizer.step(5 as never)).toThrow(/E_VALUE.*step\(f\).*number/s);
  });

  it("step(f) refuses a promise, and leaves no rejection of it unhandled", () => {
    const p = value(1);
    const optimizer = make[name]([p], options);
    const later = (): Promise<Tensor> => Promise.reject(new Error("later"));
    expect(() => optimizer.step(later as never)).toThrow(/E_VALUE.*a promise; f must/s);
    expect(p.item()).toBe(1);
  });

  it("leaves a parameter without a gradient alone, and counts steps for each parameter", () => {
    const [x, y] = [value(1), value(1)];
    const optimizer = make[name]([x, y], options);
    x.grad = tensor([1]);
    optimizer.step();
    expect(y.item()).toBe(1);
    expect(y.version).toBe(0);
    const alone = value(1);
    const fresh = make[name]([alone], options);
    y.grad = alone.grad = tensor([0.5]);
    optimizer.step();
    fresh.step();
    expect(y.item()).toBe(alone.item());
  });

  it("advances versions, so that an older graph is refused, and changes no value taken before", () => {
    const x = value(2);
    const optimizer = make[name]([x], options);
    const saved = x.detach();
    const view = x.reshape([1, 1]);
    const loss = x.square().sum();
    x.grad = tensor([1]);
    optimizer.step();
    expect(x.version).toBe(1);
    expect(x.item()).not.toBe(2);
    expect([saved.item(), view.item()]).toEqual([2, 2]);
    expect(() => loss.backward()).toThrowError(expect.objectContaining({ code: "E_STALE" }));
  });

  it("continues from its state dict with the same bits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), (count) => {
        const [x, y] = [value(1), value(1)];
        const first = make[name]([x], options);
        run(first, x, count);
        first.lr = 0.05;
        const saved = first.stateDict();
        const start = x.detach();
        y.assign(start);
        run(first, x, 3);
        const second = make[name]([y], options).loadStateDict(saved);
        expect(second.lr).toBe(0.05);
        run(second, y, 3);
        expect(y.item()).toBe(x.item());
        const third = value(1);
        third.assign(start);
        run(make[name]([third], options).loadStateDict(saved), third, 3);
        expect(third.item()).toBe(x.item());
      }),
    );
  });

  it("refuses parameters and states that it cannot use", () => {
    const x = value(1);
    const code = (expected: string): unknown => expect.objectContaining({ code: expected });
    expect(() => make[name]([], options)).toThrowError(code("E_VALUE"));
    expect(() => make[name]([x, x], options)).toThrowError(code("E_VALUE"));
    expect(() => make[name]([tensor([1])], options)).toThrowError(code("E_VALUE"));
    expect(() => make[name]([x.mul(2)], options)).toThrowError(code("E_VALUE"));
    expect(() => make[name]([x], { ...options, lr: NaN })).toThrowError(code("E_VALUE"));
    const optimizer = make[name]([x], options);
    run(optimizer, x, 1);
    const state = optimizer.stateDict();
    expect(() => optimizer.loadStateDict({ ...state, name: "Other" })).toThrowError(code("E_STATE_DICT"));
    expect(() => optimizer.loadStateDict({ ...state, slots: [] })).toThrowError(code("E_STATE_DICT"));
    for (const steps of [1.5, -1, NaN, Infinity]) {
      const slots = state.slots.map((slot) => slot && { ...slot, steps });
      expect(() => optimizer.loadStateDict({ ...state, slots })).toThrowError(/whole number of steps/);
    }
    const wide = tensor([1, 2], { requiresGrad: true });
    expect(() => make[name]([wide], options).loadStateDict(state)).toThrowError(/slot 0: expected/);
    const model = new Linear(1, 1, { rng: generator(1) });
    const before = make[name](model.parameters(), options);
    mseLoss(model.forward(tensor([[1]])), tensor([[2]])).backward();
    before.step();
    model.to("float64");
    mseLoss(
      model.forward(tensor([[1]], { dtype: "float64" })),
      tensor([[2]], { dtype: "float64" }),
    ).backward();
    expect(() => before.step()).toThrowError(code("E_DTYPE"));
  });
});

it("optimizers take no power from the engine, whose last bit may differ", () => {
  const folder = new URL("../../../src/nn/optimizers/", import.meta.url);
  const files = readdirSync(folder);
  expect(files).toContain("adam.ts");
  for (const file of files) {
    const code = readFileSync(new URL(file, folder), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    expect(code, file).not.toMatch(/\*\*|Math\.(pow|exp|log|cos|sin)\b/);
  }
});

it("refuses Nesterov without momentum, and betas of 1", () => {
  expect(() => new SGD([value(1)], { lr: 1, nesterov: true })).toThrowError(/nesterov/);
  expect(() => new Adam([value(1)], { betas: [1, 0.9] })).toThrowError(/betas/);
});

describe("clipGradNorm", () => {
  it("never leaves a joint norm above the limit, keeps the direction, and changes nothing below it", () => {
    const lists = fc.array(fc.float({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(lists, { minLength: 1, maxLength: 3 }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        (all, limit) => {
          const parameters = all.map((list) => {
            const parameter = leaf(list);
            parameter.grad = constant(list);
            return parameter;
          });
          const norm = clipGradNorm(parameters, limit);
          expect(Math.abs(norm - Math.hypot(...all.flat()))).toBeLessThanOrEqual(1e-12 * norm);
          const after = parameters.flatMap(({ grad }) => [...grad!.values()]);
          if (norm + 1e-6 <= limit) expect(after).toEqual(all.flat());
          else
            expectNear(
              after,
              all.flat().map((x) => (x * limit) / (norm + 1e-6)),
              1e-12,
            );
          expect(Math.hypot(...after)).toBeLessThanOrEqual(limit * (1 + 1e-12));
        },
      ),
    );
  });

  it("does not overflow, skips parameters without a gradient, and tells of NaN and infinity", () => {
    const [x, none] = [value(1, "float64"), value(1, "float64")];
    x.grad = tensor([1e300], { dtype: "float64" });
    expect(clipGradNorm([x, none], 1)).toBe(1e300);
    expect(x.grad.item()).toBe(1);
    x.grad = tensor([NaN], { dtype: "float64" });
    expect(clipGradNorm([x], 1)).toBeNaN();
    expect(x.grad.item()).toBeNaN();
    x.grad = tensor([-Infinity], { dtype: "float64" });
    none.grad = tensor([3], { dtype: "float64" });
    expect(clipGradNorm([x, none], 1)).toBe(Infinity);
    expect([x.grad.item(), none.grad.item()]).toEqual([NaN, 0]);
    x.grad = tensor([NaN], { dtype: "float64" });
    none.grad = tensor([3], { dtype: "float64" });
    expect(clipGradNorm([x, none], 1)).toBeNaN();
    expect([x.grad.item(), none.grad.item()]).toEqual([NaN, NaN]);
    none.grad = undefined;
    expect(clipGradNorm([none], 1)).toBe(0);
  });
});

describe("schedules", () => {
  it("warm up in equal steps, then stay", () => {
    expect([0, 1, 3, 4, 9].map(warmup(0.8, { steps: 4 }))).toEqual([0.2, 0.4, 0.8, 0.8, 0.8]);
  });

  it("fall from the peak to the floor and stay there", () => {
    const schedule = warmupCosine(1, { warmup: 2, steps: 6, floor: 0.2 });
    expectNear([0, 1, 2, 4, 6, 9].map(schedule), [0.5, 1, 1, 0.6, 0.2, 0.2], 1e-15);
  });

  it("cosine starts at lr and ends at the floor exactly, and falls in between with the value of the formula", () => {
    const rate = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.integer({ min: 1, max: 1000 }), (a, b, steps) => {
        const [floor, lr] = [Math.min(a, b), Math.max(a, b)];
        const schedule = cosine(lr, { steps, floor });
        expect(schedule(0)).toBe(lr);
        expect([steps, steps + 1, 10 * steps].map(schedule)).toEqual([floor, floor, floor]);
        for (let step = 0; step <= steps; step++) {
          const formula = floor + ((lr - floor) * (1 + Math.cos((Math.PI * step) / steps))) / 2;
          expect(Math.abs(schedule(step) - formula)).toBeLessThanOrEqual(8e-16 * lr);
          if (step > 0) expect(schedule(step)).toBeLessThanOrEqual(schedule(step - 1));
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it("cosine takes no cosine from the engine, whose last bit may differ", () => {
    const engine = ["sin", "cos", "pow", "exp"] as const;
    const spies = engine.map((name) => vi.spyOn(Math, name).mockReturnValue(NaN));
    const rates = [0, 1, 2, 3].map(cosine(3, { steps: 3 }));
    spies.forEach((spy) => spy.mockRestore());
    expectNear(rates, [3, 2.25, 0.75, 0], 1e-15);
  });

  it("refuse what makes no schedule", () => {
    const code = expect.objectContaining({ code: "E_VALUE" });
    expect(() => warmup(1, { steps: 0 })).toThrowError(code);
    expect(() => cosine(1, { steps: 2.5 })).toThrowError(code);
    expect(() => cosine(1, { steps: 5, floor: 2 })).toThrowError(code);
    expect(() => warmupCosine(1, { warmup: 5, steps: 5 })).toThrowError(code);
    expect(() => warmup(-1, { steps: 5 })).toThrowError(code);
    expect(() => warmup(1, { steps: 0 })).toThrowError(
      "warmup: expected steps to be a whole number of at least 1",
    );
    const rising = (options: { warmup: number; steps: number; floor?: number }) => () =>
      warmupCosine(1, options);
    expect(rising({ warmup: 0, steps: 5 })).toThrowError(
      "warmupCosine: expected warmup to be a whole number of at",
    );
    expect(rising({ warmup: 2, steps: 5.5 })).toThrowError(
      "warmupCosine: expected steps to be a whole number of at",
    );
    expect(rising({ warmup: 5, steps: 5 })).toThrowError(
      "warmupCosine: expected warmup below steps, got 5 and 5",
    );
    expect(rising({ warmup: 2, steps: 5, floor: 2 })).toThrowError(
      "warmupCosine: expected floor to be from 0 to 1",
    );
  });
});
