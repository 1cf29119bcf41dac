import { describe, expect, it } from "vitest";
import { randomNormal, tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import type { IdeaOptions, TrainedModel } from "../../../src/ideas/idea.js";
import { momentRank2Checks } from "../../../src/ideas/moment-rank2/evidence/checks.js";
import { measureMomentRank2 } from "../../../src/ideas/moment-rank2/evidence/measure.js";
import { momentRank2, MomentPreservingTruncation } from "../../../src/ideas/moment-rank2/index.js";
import { completeSettings } from "../../../src/ideas/moment-rank2/settings.js";
import { generator } from "../../../src/random/index.js";
import { distance } from "./random-matrices.js";
import { someStates } from "./some-states.js";

const { options } = momentRank2;
const trained: TrainedModel = { hiddenStates: () => someStates(2), attentionInputs: () => [] };

/** What the changed model computes under these options: the state after a step, and the gradient through it. */
function step(changed: IdeaOptions): { readonly state: Tensor; readonly gradient: Tensor } {
  const { hidden } = momentRank2.change({ ...options, ...changed }, generator(0));
  const [raw] = someStates(1);
  const { value, pullback } = vjp((x: Tensor) => hidden!(x), raw!);
  return { state: value, gradient: pullback(randomNormal(generator(1), [20, 64]))[0]! };
}

describe("momentRank2", () => {
  it("names its track, model and options", () => {
    expect(momentRank2).toMatchObject({ name: "moment-rank2", track: "dynamics", model: "rnn_small" });
    expect(options).toEqual({
      ...{ rank: 2, form: "B", gradient: "exact", bound: 8, moments: "grid" },
      ...{ grid: "8x8", transferRank: 2, weight: "none", powers: 2 },
    });
  });

  it("changes the hidden state, read row by row as 8×8, and nothing else", () => {
    const change = momentRank2.change(options, generator(0));
    expect(Object.keys(change)).toEqual(["hidden"]);
    const [hidden] = someStates(1);
    const changed = change.hidden!(hidden!);
    expect(changed.shape).toEqual([20, 64]);
    const layer = new MomentPreservingTruncation({ grid: { rows: 8, columns: 8 } });
    expect(changed.values()).toEqual(layer.forward(hidden!.reshape([20, 8, 8])).values());
    expect(distance(changed, hidden!)).toBeGreaterThan(0.1);
    expect(() => change.hidden!(tensor([[1, 2, 3]]))).toThrow(/E_SHAPE.*\[batch, 64\]/);
    expect(() => change.hidden!(hidden!.reshape([10, 64, 2]))).toThrow(/E_SHAPE.*\[batch, 64\]/);
  });

  /** Other values of each option, and what of a step they change. */
  const others: Readonly<
    Record<string, readonly [value: number | string, state: boolean, gradient: boolean][]>
  > = {
    rank: [
      [1, true, true],
      [3, true, true],
    ],
    form: [["A", true, true]],
    gradient: [
      ["tangent", false, true],
      ["straight-through", false, true],
    ],
    bound: [
      [2, false, true],
      [Infinity, false, true],
    ],
    moments: [["power", true, true]],
    grid: [
      ["16x4", true, true],
      ["4x4x4", true, true],
      ["2x2x2x2x2x2", true, true],
    ],
    weight: [["gaussian", true, true]],
  };
  /** Options that matter beside another one. */
  const conditional: Readonly<Record<string, readonly [beside: IdeaOptions, value: number]>> = {
    transferRank: [{ grid: "4x4x4" }, 1],
    powers: [{ moments: "power" }, 3],
  };

  it.each(Object.entries(others))("trains another model where %s alone is changed", (name, values) => {
    const usual = step({});
    for (const [value, state, gradient] of values) {
      const other = step({ [name]: value });
      expect(distance(other.state, usual.state) > 0.01, `state under ${name} ${value}`).toBe(state);
      expect(distance(other.gradient, usual.gradient) > 0.01, `gradient under ${name} ${value}`).toBe(
        gradient,
      );
    }
  });

  it("has no option that changes nothing: some matter beside another one alone", () => {
    const names = [...Object.keys(others), ...Object.keys(conditional)];
    expect(Object.keys(options).sort()).toEqual(names.sort());
    for (const [name, [beside, value]] of Object.entries(conditional)) {
      const usual = step(beside);
      expect(distance(step({ ...beside, [name]: value }).state, usual.state), name).toBeGreaterThan(0.01);
      expect(distance(step({ [name]: value }).state, step({}).state), name).toBe(0);
    }
  });

  it("refuses options outside their range before anything is trained", () => {
    const mistakes: IdeaOptions[] = [
      { rank: 9 },
      { rank: 0.5 },
      { form: "b" },
      { gradient: "none" },
      { moments: "cubic" },
      { bound: "high" },
      ...[
        { grid: "8x9" },
        { grid: "64" },
        { grid: "64x1" },
        { grid: "8" },
        { grid: "axb" },
        { grid: "16x4", rank: 5 },
      ],
      ...[{ transferRank: 0 }, { powers: 5 }, { powers: 1.5 }, { weight: "uniform" }],
      { moments: "power", weight: "gaussian" },
    ];
    for (const wrong of mistakes) {
      const all = { ...options, ...wrong };
      expect(() => momentRank2.change(all, generator(0))).toThrow(/E_VALUE/);
      expect(() => momentRank2.checks(all, generator(0))).toThrow(/E_VALUE/);
      expect(() => momentRank2.measure(trained, all, generator(0))).toThrow(/E_VALUE/);
    }
  });

  it("checks and measures under its options, the same each time", () => {
    const choices: IdeaOptions[] = [{}, { form: "A", rank: 1 }, { rank: 8 }, { bound: 2 }];
    for (const changed of choices) {
      const settings = completeSettings({ ...options, ...changed });
      const checks = momentRank2.checks({ ...options, ...changed }, generator(2));
      expect(checks).toEqual(momentRank2Checks(settings, generator(2)));
      expect(checks.filter(({ passed }) => !passed)).toEqual([]);
      expect(momentRank2.measure(trained, { ...options, ...changed }, generator(2))).toEqual(
        measureMomentRank2(trained, settings),
      );
    }
  });

  it.each<IdeaOptions>([
    { grid: "16x4", rank: 3, weight: "gaussian" },
    { grid: "4x4x4", form: "A", weight: "gaussian" },
    { grid: "2x2x2x2x2x2" },
    { moments: "power", form: "A", powers: 1 },
    { moments: "power", powers: 3, grid: "4x4x4" },
  ])("holds its checks and its claims on any grid, with a weight, and with power moments: %o", (changed) => {
    const all = { ...options, ...changed };
    expect(momentRank2.checks(all, generator(2)).filter(({ passed }) => !passed)).toEqual([]);
    const { claims, confirmed } = momentRank2.measure(trained, all, generator(2));
    expect(claims.filter(({ held, control }) => !held || !control.refuted)).toEqual([]);
    expect(claims.length).toBeGreaterThan(1);
    expect(confirmed).toBe(true);
  });
});
