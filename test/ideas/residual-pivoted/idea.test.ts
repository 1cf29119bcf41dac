import { describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import type { IdeaOptions, Signature, TrainedModel } from "../../../src/ideas/idea.js";
import { residualPivoted } from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";

/** q, k and v of a model of two layers and two heads, as if trained. */
function model(seed: string, change: (x: Tensor, name: string) => Tensor = (x) => x): TrainedModel {
  const shape = [6, 2, 24, 8];
  const normals = (name: string, std: number): Tensor =>
    change(
      tensor(generator(`${seed}${name}`).normals(6 * 2 * 24 * 8, 0, std), { shape, dtype: "float32" }),
      name,
    );
  return {
    hiddenStates: () => [],
    attentionInputs: () =>
      [0, 1].map((layer) => ({
        layer,
        q: normals(`${layer}q`, 0.8 + layer / 2),
        k: normals(`${layer}k`, 0.8 + layer / 2),
        v: normals(`${layer}v`, 1),
      })),
  };
}

const options = residualPivoted.options;
const measure = (seed: string, changed: IdeaOptions = {}): Signature =>
  residualPivoted.measure(model(seed), { ...options, ...changed }, generator(seed));

const goodChecks = residualPivoted.checks(options, generator("checks"));

describe("the change", () => {
  const [q, k, v] = ["q", "k", "v"].map((name) =>
    tensor(generator(name).normals(2 * 4 * 16 * 8), { shape: [2, 4, 16, 8], dtype: "float32" }),
  );

  test("replaces attention, and draws new pivots from its own stream at each call", () => {
    const run = (): number[][] => {
      const { attention, hidden } = residualPivoted.change(options, generator(3).stream("idea"));
      expect(hidden).toBeUndefined();
      return [0, 1].map((layer) => [...attention!(q!, k!, v!, { layer }).values()]);
    };
    const [first, second] = run();
    expect(first).toHaveLength(2 * 4 * 16 * 8);
    expect(first).not.toEqual(second);
    expect(run()).toEqual([first, second]);
  });

  test("refuses bad options when it is made, not in mid-training", () => {
    const mistakes: IdeaOptions[] = [
      { rank: 0 },
      { pivots: "random" },
      { ridge: -1 },
      { causal: "yes" },
      { chunk: 0 },
      { refresh: "never" },
      { sampler: "fast" },
    ];
    for (const bad of mistakes) {
      expect(() => residualPivoted.change({ ...options, ...bad }, generator(1))).toThrow("E_VALUE");
    }
  });
});

describe("the checks before training", () => {
  const variants: IdeaOptions[] = [{}, { rank: 1 }, { rank: 9 }, { ridge: 0.01 }, { pivots: "uniform" }];
  test.each(variants)("hold with %o", (changed) => {
    const checks = residualPivoted.checks({ ...options, ...changed }, generator("checks"));
    expect(checks.length).toBeGreaterThanOrEqual(13);
    expect(checks.filter((check) => !check.passed)).toEqual([]);
    for (const check of checks) {
      expect(check.passed).toBe(check.observed <= check.bound);
      expect(Number.isFinite(check.observed)).toBe(true);
    }
  });
});

describe("the signature of a model", () => {
  test("confirms the mechanism and refutes uniform pivots", () => {
    const signature = measure("a");
    const [exact, sampled] = signature.claims;
    expect(signature.confirmed).toBe(true);
    expect(exact!.observed).toBeLessThanOrEqual(1e-6);
    expect(exact!.control.observed).toBeGreaterThan(1e-3);
    expect(sampled!.observed).toBeLessThanOrEqual(1);
    expect(sampled!.control.observed).toBeGreaterThan(10);
    expect(signature.figures.cells).toBe(2 * 2 * 2 * 4);
  });

  test("is refuted for a faked mechanism: pivots that do not follow the residual", () => {
    for (const pivots of ["uniform", "gaussian", "greedy"]) {
      const signature = measure("a", { pivots });
      expect(signature.confirmed).toBe(false);
      expect(signature.claims[0]!.held).toBe(false);
    }
  });

  test("says what the pivots are worth, whatever it says", () => {
    const { traceLeft, outputError, floored } = measure("a").figures as unknown as Record<
      string,
      Record<string, number>
    >;
    for (const law of ["exp", "gaussian", "uniform", "greedy"]) {
      expect(traceLeft![law]!).toBeGreaterThanOrEqual(traceLeft!.optimal!);
      expect(traceLeft![law]!).toBeLessThan(1);
      expect(outputError![law]!).toBeGreaterThan(0);
    }
    expect(traceLeft!.exp!).toBeLessThan(traceLeft!.uniform!);
    expect(outputError!.meanOfValues!).toBeGreaterThan(0);
    expect(floored!.exp!).toBeGreaterThan(0);
  });

  test("is plain data, and the same for the same seed", () => {
    const signature = measure("b");
    expect(JSON.parse(JSON.stringify(signature))).toEqual(signature);
    expect(measure("b")).toEqual(signature);
  });

  test("of a diverged model confirms nothing", () => {
    const diverged = model("c", (x, name) => (name.endsWith("q") ? x.mul(NaN) : x));
    const signature = residualPivoted.measure(diverged, options, generator(1));
    expect(signature).toMatchObject({ claims: [], confirmed: false });
    expect(signature.figures).toMatchObject({ problems: 0, notFinite: 8, cells: 0 });
    expect(signature.figures.reason).toContain("not finite in 8 of 8 problems");
    const summary = residualPivoted.summarize(goodChecks, [{ seed: 7, signature }]);
    expect(summary.confirmed).toBe(false);
    expect(summary.mechanism).toMatchObject({ confirmed: false, without: [7], not_finite: 8 });
  });

  test.each([
    ["q", NaN],
    ["k", Infinity],
    ["v", -Infinity],
  ])("with one head whose %s has %d: no claim holds, and each says why", (which, value) => {
    const oneHead = model("a", (x, name) => {
      if (name !== `1${which}`) return x;
      const values = x.values();
      values[(1 * 2 + 1) * 24 * 8 + 5] = value;
      return tensor(values, { shape: [...x.shape], dtype: "float32" });
    });
    const { claims, confirmed, figures } = residualPivoted.measure(oneHead, options, generator("a"));
    const reason = "not finite in 1 of 8 problems";
    expect(claims).toHaveLength(2);
    for (const claim of claims) {
      expect(claim.held).toBe(false);
      expect(claim.statement).toContain(reason);
      expect(claim.observed).toBeLessThanOrEqual(claim.tolerance);
    }
    expect(confirmed).toBe(false);
    expect(figures).toMatchObject({ problems: 7, notFinite: 1, cells: 7 * 4 });
    expect(figures.reason).toContain(reason);
    const summary = residualPivoted.summarize(goodChecks, [
      { seed: 0, signature: measure("a") },
      { seed: 1, signature: { claims, confirmed, figures } },
    ]);
    expect(summary.mechanism).toMatchObject({ sample_inside: true, not_finite: 1, confirmed: false });
    expect(summary.confirmed).toBe(false);
  });

  test("needs a model with attention", () => {
    const recurrent: TrainedModel = { hiddenStates: () => [], attentionInputs: () => [] };
    expect(() => residualPivoted.measure(recurrent, options, generator(1))).toThrow(
      /E_IDEA.*no attention inputs.*transformer_tiny/s,
    );
  });
});

describe("the summary of all seeds", () => {
  const seeds = ["a", "b", "c", "d"];
  const signatures = seeds.map((name, seed) => ({ seed, signature: measure(name) }));
  const checks = goodChecks;

  test("carries the keys of the report and decides family-wise", () => {
    const { mechanism, mathematics, confirmed } = residualPivoted.summarize(checks, signatures);
    expect(confirmed).toBe(true);
    expect(mechanism).toMatchObject({
      prediction: "E[trace decrease] = ||R||_F^2 / tr(R)",
      confirmed: true,
      trained_model: true,
      rank: 4,
      cells: 4 * 32,
      sample_inside: true,
      uniform_outside: true,
    });
    const { predicted, observed, exact_expectation, relative_error } = mechanism as Record<string, number>;
    expect(relative_error).toBe(Math.abs(observed! - predicted!) / predicted!);
    expect(relative_error).toBeLessThan(0.01);
    expect(Math.abs(exact_expectation! - predicted!)).toBeLessThan(1e-6);
    expect(mathematics.passed).toBe(true);
  });

  test("fails with one seed whose pivots were uniform", () => {
    const faked = [...signatures, { seed: 4, signature: measure("e", { pivots: "uniform" }) }];
    expect(residualPivoted.summarize(checks, faked).confirmed).toBe(false);
  });

  test("fails when one expectation does not hold, or its control does, though every sample looks right", () => {
    const [first, ...rest] = signatures;
    const [exact, sampled] = first!.signature.claims;
    const broken = { ...exact!, held: false };
    const tame = { ...exact!, control: { ...exact!.control, refuted: false } };
    for (const claim of [broken, tame]) {
      const moved = [{ seed: 0, signature: { ...first!.signature, claims: [claim, sampled!] } }, ...rest];
      const { mechanism, confirmed } = residualPivoted.summarize(checks, moved);
      expect(mechanism).toMatchObject({ sample_inside: true, uniform_outside: true, confirmed: false });
      expect(confirmed).toBe(false);
    }
  });

  test.each([
    ["just outside", 0.0049, false],
    ["just inside", 0.0051, true],
  ])("judges a sampled mean %s the family-wise interval, though every expectation holds", (_, p, inside) => {
    const [first, ...rest] = signatures;
    const figures = { ...first!.signature.figures, leastTail: p / (4 * 32) };
    const moved = [{ seed: 0, signature: { ...first!.signature, figures } }, ...rest];
    const { mechanism } = residualPivoted.summarize(checks, moved);
    expect(mechanism).toMatchObject({ sample_inside: inside, confirmed: inside });
  });

  test("fails when uniform pivots satisfy the identity too", () => {
    const tame = signatures.map(({ seed, signature }) => ({
      seed,
      signature: { ...signature, figures: { ...signature.figures, leastUniformTail: 0.5 } },
    }));
    expect(residualPivoted.summarize(checks, tame).mechanism).toMatchObject({
      uniform_outside: false,
      confirmed: false,
    });
  });

  test("is not confirmed when a check failed or there was none, whatever the models say", () => {
    for (const failing of [...checks.keys(), "none"]) {
      const found =
        failing === "none" ? [] : checks.map((check, at) => ({ ...check, passed: at !== failing }));
      const { mathematics, mechanism, confirmed } = residualPivoted.summarize(found, signatures);
      expect(mathematics.passed).toBe(false);
      expect(mechanism).toMatchObject({ sample_inside: true, uniform_outside: true, confirmed: false });
      expect(confirmed).toBe(false);
    }
  });
});
