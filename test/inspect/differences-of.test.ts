import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineOp, noGrad, randomNormal, tensor, type Tensor } from "../../src/autograd/index.js";
import {
  differencesOf,
  inspect,
  inspectStep,
  trainingStep,
  type Differences,
} from "../../src/inspect/index.js";
import { residualPivotedAttention } from "../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../src/random/index.js";
import { NDArray } from "../../src/tensor/index.js";
import { graphs } from "../../src/testing/arbitraries/index.js";

type Run = (...inputs: Tensor[]) => Tensor;

const of = (f: Run, inputs: readonly Tensor[], element: number[], options = {}): Differences =>
  differencesOf(inspect(f, inputs, { replayable: true }), 0, element, options);

describe("differencesOf", () => {
  test("agrees with the rules of random graphs", () => {
    fc.assert(
      fc.property(graphs({ maxSteps: 8 }), ({ f, inputs }) => {
        const document = inspect(f, inputs, { replayable: true });
        inputs.forEach((x, leaf) => {
          if (x.size === 0) return;
          const { verdict, rule, sentence } = differencesOf(
            document,
            leaf,
            x.shape.map(() => 0),
          );
          expect(["agrees", "not computed"], sentence).toContain(verdict);
          if (verdict === "not computed") expect(rule).toBeNull();
        });
      }),
      { numRuns: 25 },
    );
  });

  test("shows the error fall with the square of the step, and grow again as rounding does", () => {
    const found = of((x) => x.exp().sum(), [tensor([1, 2])], [0]);
    expect(found.steps.map(({ step }) => step)).toEqual([
      1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10,
    ]);
    expect(found.rule).toBeCloseTo(Math.E, 12);
    // The error of (f(x+h) − f(x−h))/2h is h²·f‴/6, here relative to f′ = f‴.
    for (const at of [0, 1, 2]) {
      const { step, error } = found.steps[at]!;
      expect(error / (step ** 2 / 6)).toBeCloseTo(1, 2);
    }
    expect(found.steps[9]!.error).toBeGreaterThan(100 * found.steps[found.best]!.error);
    expect(found).toMatchObject({ verdict: "agrees", value: 1, leaf: 0, element: [0] });
    expect(found.sentence).toMatch(
      /^the rule gives 2\.718, and differences agree to \de-\d+ with a step of 0\.0000/,
    );
  });

  test("is of float64 where the document is of float32", () => {
    const found = of((x) => x.sin().sum(), [tensor([0.1, 0.2])], [1]);
    expect(found.value).toBe(Math.fround(0.2));
    expect(found.rule).toBeCloseTo(Math.cos(Math.fround(0.2)), 14);
    expect(found.steps[found.best]!.error).toBeLessThan(1e-9);
  });

  const wrong = defineOp({
    name: "wrong",
    forward: ([a]) =>
      new NDArray(
        a!.shape,
        a!.dtype,
        a!.data.map((value) => value ** 2),
      ),
    vjp: ({ cotangent, inputs: [a] }) => [cotangent.mul(a!).mul(3)],
  });

  test("tells a wrong rule, a kink, what is not finite, and what is not computed", () => {
    const square = of((x) => wrong([x]).sum(), [tensor([2, 1])], [0], { operations: { wrong } });
    expect(square).toMatchObject({ verdict: "disagrees", rule: 6 });
    expect(square.sentence).toMatch(/^the rule gives 6, but differences give 4 /);

    const kink = of((x) => x.relu().mul(3).sum(), [tensor([0, 1])], [0]);
    expect(kink).toMatchObject({ verdict: "kink", rule: 0 });
    expect(kink.sentence).toBe(
      "there is a kink here: the slope is 0 from the left and 3 from the right; the rule gives 0",
    );
    const beside = of((x) => x.relu().sum(), [tensor([0.003, 1])], [0]);
    expect(beside).toMatchObject({ verdict: "agrees" });
    expect(beside.steps[0]!.error).toBeGreaterThan(0.1);
    expect(of((x) => x.maximum(tensor([0, 0])).sum(), [tensor([0, 1])], [0]).verdict).toBe("kink");

    expect(of((x) => x.log().sum(), [tensor([0, 1])], [0]).verdict).toBe("not finite");
    expect(of((x) => x.log().sum(), [tensor([0, 1])], [1])).toMatchObject({ verdict: "not finite", rule: 1 });

    const never = of((x, y) => x.detach().add(y).sum(), [tensor([1]), tensor([2])], [0]);
    expect(never).toMatchObject({ verdict: "not computed", rule: null });
    expect(never.sentence).toBe("no gradient is computed here, and differences give 0 too");
  });

  test.each<[string, Run]>([
    ["a copy", (x) => x.mul(x.detach()).sum()],
    ["a copy of a result", (x) => x.mul(x.mul(1).detach()).sum()],
    ["what was computed without recording", (x) => x.mul(noGrad(() => x.mul(1))).sum()],
  ])("holds what has no gradient on purpose: %s", (_, f) => {
    expect(of(f, [tensor([3, 4])], [0])).toMatchObject({ verdict: "agrees", rule: 3 });
  });

  test.each([false, true])("of attention through pivots, recorded in float32, causal: %s", (causal) => {
    const x = randomNormal(generator(6).stream("x"), [6, 4]);
    const f: Run = (a) =>
      residualPivotedAttention(a, a.mul(0.5), a, { rank: 2, rng: generator(1), causal, chunk: 2 })
        .output.square()
        .sum();
    const { verdict, steps, best, sentence } = of(f, [x], [2, 1]);
    expect(verdict, sentence).toBe("agrees");
    expect(steps[best]!.error).toBeLessThan(1e-8);
  });

  test("of an output with a given cotangent", () => {
    const document = inspect((x) => x.square(), [tensor([3, 4])], { replayable: true, cotangent: [10, 100] });
    expect(differencesOf(document, 0, [1])).toMatchObject({ verdict: "agrees", rule: 800 });
  });

  test.each([
    ["rnn_small", "moment-rank2"],
    ["transformer_tiny", undefined],
  ])("of a parameter of %s with %s", (name, idea) => {
    const document = inspectStep(trainingStep(name, { idea, batch: 1, steps: 3 }), { replayable: true });
    const leaf = document.nodes.findIndex((node) => node.name === "head.weight");
    const { verdict, sentence } = differencesOf(document, leaf, [0, 1]);
    expect(verdict, sentence).toBe("agrees");
  });

  test.each<[string, number, number[], RegExp]>([
    ["a result", 1, [0], /E_REPLAY: differencesOf: expected a leaf with a gradient, got operation #1/],
    ["no node", 9, [0], /E_REPLAY: .*got no node #9/],
    ["no element", 0, [2], /E_INDEX: .*input 0 of shape \[2\] has no element \[2\]/],
  ])("refuses %s", (_, leaf, element, message) => {
    const document = inspect((x) => x.exp(), [tensor([1, 2])], { replayable: true });
    expect(() => differencesOf(document, leaf, element)).toThrow(message);
  });

  test("refuses a document without values", () => {
    expect(() =>
      differencesOf(
        inspect((x) => x.exp(), [tensor([1])]),
        0,
        [0],
      ),
    ).toThrow("E_REPLAY");
  });
});
