import { describe, expect, it } from "vitest";
import { randomUniform, tensor, type Tensor } from "../../../src/autograd/index.js";
import type { IdeaOptions, TrainedModel } from "../../../src/ideas/idea.js";
import { momentRank2, MomentPreservingTruncation } from "../../../src/ideas/moment-rank2/index.js";
import type { MomentFigures } from "../../../src/ideas/moment-rank2/evidence/measure.js";
import { generator } from "../../../src/random/index.js";
import { distance, greatest } from "./random-matrices.js";

const { options } = momentRank2;

function model(states: readonly Tensor[]): TrainedModel {
  return { hiddenStates: () => states, attentionInputs: () => [] };
}

function states(count: number): Tensor[] {
  const rng = generator(17);
  return Array.from({ length: count }, () => randomUniform(rng, [20, 64], { low: -1, high: 1 }));
}

describe("momentRank2", () => {
  it("names its track, model and options", () => {
    expect(momentRank2).toMatchObject({ name: "moment-rank2", track: "dynamics", model: "rnn_small" });
    expect(options).toMatchObject({ rank: 2, form: "B", gradient: "exact", moments: "grid" });
  });

  it("changes the hidden state, read row by row as 8×8, and nothing else", () => {
    const change = momentRank2.change(options, generator(0));
    expect(Object.keys(change)).toEqual(["hidden"]);
    const [hidden] = states(1);
    const changed = change.hidden!(hidden!);
    expect(changed.shape).toEqual([20, 64]);
    const layer = new MomentPreservingTruncation({ grid: { rows: 8, columns: 8 } });
    expect(changed.values()).toEqual(layer.forward(hidden!.reshape([20, 8, 8])).values());
    expect(distance(changed, hidden!)).toBeGreaterThan(0.1);
    expect(() => change.hidden!(tensor([[1, 2, 3]]))).toThrow(/E_SHAPE.*\[batch, 64\]/);
    expect(() => change.hidden!(hidden!.reshape([10, 64, 2]))).toThrow(/E_SHAPE.*\[batch, 64\]/);
  });

  it("refuses options outside their range before anything is trained", () => {
    const mistakes: IdeaOptions[] = [
      { rank: 9 },
      { rank: 0.5 },
      { form: "b" },
      { moments: "power" },
      { bound: "high" },
    ];
    for (const wrong of mistakes) {
      expect(() => momentRank2.change({ ...options, ...wrong }, generator(0))).toThrow(/E_VALUE/);
      expect(() => momentRank2.checks({ ...options, ...wrong }, generator(0))).toThrow(/E_VALUE/);
    }
  });

  it("passes its checks for both forms and other ranks, the same each time", () => {
    for (const form of ["A", "B"]) {
      for (const rank of [1, 2, 8]) {
        const checks = momentRank2.checks({ ...options, form, rank }, generator(2));
        expect(checks.filter(({ passed }) => !passed)).toEqual([]);
        expect(new Set(checks.map(({ name }) => name)).size).toBe(9);
      }
    }
    expect(momentRank2.checks(options, generator(2))).toEqual(momentRank2.checks(options, generator(2)));
  });

  it("confirms the mechanism where it is at work, and its controls fail", () => {
    for (const form of ["A", "B"]) {
      const signature = momentRank2.measure(model(states(3)), { ...options, form }, generator(0));
      expect(signature.confirmed).toBe(true);
      expect(signature.claims.map(({ quantity }) => quantity)).toEqual([
        "moment residual",
        "error identity",
        "true rank",
      ]);
      const figures = signature.figures as unknown as MomentFigures;
      expect(figures).toMatchObject({ states: 60, true_rank: 4, stored_numbers: 36, state_numbers: 64 });
      expect(figures.moment_residual).toBeLessThanOrEqual(5e-7);
      expect(figures.plain_moment_drift).toBeGreaterThan(0.1);
      expect(figures.compressed_relative_error).toBeGreaterThan(0.1);
      expect(figures.compressed_relative_error).toBeLessThan(1);
      expect(figures.state_norm).toBeCloseTo(Math.sqrt(64 / 3), 0);
      expect(figures.raw_norm).toBeCloseTo(greatestNorm(states(3).at(-1)!), 4);
      expect(figures.clip_rate).toBeGreaterThan(0);
      expect(figures.clip_rate).toBeLessThan(1);
    }
  });

  it("does not confirm it where a control is as good, nor on states that are not finite", () => {
    const zero = momentRank2.measure(
      model([tensor(new Float32Array(128), { shape: [2, 64] })]),
      options,
      generator(0),
    );
    expect(zero.claims[0]).toMatchObject({ held: true, control: { observed: 0, refuted: false } });
    expect(zero.confirmed).toBe(false);
    const broken = tensor(new Float32Array(128).fill(NaN), { shape: [2, 64] });
    const signature = momentRank2.measure(model([broken, ...states(1)]), options, generator(0));
    expect(signature.claims[0]!.held).toBe(false);
    expect(signature.claims[1]!.held).toBe(false);
    const whole = momentRank2.measure(model(states(1)), { ...options, rank: 8 }, generator(0));
    expect(whole.claims).toHaveLength(2);
    expect(whole.confirmed).toBe(false);
  });

  it("refuses a model without hidden states", () => {
    expect(() => momentRank2.measure(model([]), options, generator(0))).toThrow(/E_IDEA.*recurrent/);
  });

  it("summarises all seeds under the names of the reports", () => {
    const checks = momentRank2.checks(options, generator(1));
    const signatures = [states(1), states(3).slice(1)].map((own, seed) => ({
      seed,
      signature: momentRank2.measure(model(own), options, generator(seed)),
    }));
    const { mechanism, mathematics, confirmed } = momentRank2.summarize(checks, signatures);
    expect(confirmed).toBe(true);
    const residual = checks.find(({ name }) => name === "max_moment_residual")!.observed;
    expect(mathematics).toEqual({ max_moment_residual: residual, passed: true });
    expect(mechanism).toMatchObject({ math_check_max_moment_residual: residual, confirmed: true });
    expect(typeof mechanism.predicted).toBe("string");
    expect(typeof mechanism.observed).toBe("string");
    const worst = Math.max(...signatures.map(({ signature }) => signature.claims[0]!.observed));
    expect(mechanism.trained_model).toMatchObject({
      moment_residual: worst,
      observed_residual: worst,
      predicted_residual: 0,
      target: "hidden moments",
      confirmed: true,
      true_rank: 4,
    });
    const trained = mechanism.trained_model as Record<string, number>;
    expect(trained.raw_norm).toBeGreaterThan(0);
    expect(trained.compressed_relative_error).toBeGreaterThan(0);
  });

  it("confirms nothing when a model fails its claims, a check fails, or nothing was trained", () => {
    const checks = momentRank2.checks(options, generator(1));
    const good = momentRank2.measure(model(states(1)), options, generator(0));
    const bad = { ...good, confirmed: false };
    const both = [good, bad].map((signature, seed) => ({ seed, signature }));
    expect(momentRank2.summarize(checks, both)).toMatchObject({
      confirmed: false,
      mechanism: { confirmed: false },
    });
    const failed = checks.map((check, i) => (i === 0 ? { ...check, passed: false } : check));
    expect(momentRank2.summarize(failed, both).mathematics.passed).toBe(false);
    const empty = momentRank2.summarize(checks, []);
    expect(empty).toMatchObject({ confirmed: false, mechanism: { confirmed: false } });
    expect(empty.mechanism.trained_model).toMatchObject({ moment_residual: null, confirmed: false });
  });
});

function greatestNorm(x: Tensor): number {
  expect(greatest(x)).toBeLessThanOrEqual(1);
  return Math.sqrt(x.cast("float64").square().sum().item());
}
