import { describe, expect, it } from "vitest";
import { randomNormal, tensor, type Tensor } from "../../../../src/autograd/index.js";
import type { Signature, TrainedModel } from "../../../../src/ideas/idea.js";
import {
  measureMomentRank2,
  type MomentFigures,
} from "../../../../src/ideas/moment-rank2/evidence/measure.js";
import { controlMargin } from "../../../../src/ideas/moment-rank2/evidence/tolerances.js";
import type { LayerOf } from "../../../../src/ideas/moment-rank2/grid-layer.js";
import { forms, type Form } from "../../../../src/ideas/moment-rank2/index.js";
import { completeSettings } from "../../../../src/ideas/moment-rank2/settings.js";
import { generator } from "../../../../src/random/index.js";
import {
  oblique,
  otherMoments,
  plainTruncation,
  withForward,
  withoutMoments,
  withSettings,
} from "../broken-layers.js";
import { someStates } from "../some-states.js";
import { figuresOf, hiddenStates, type KnownState } from "./known-states.js";

const quantities = ["moment residual", "error identity", "true rank"];

function model(states: readonly Tensor[]): TrainedModel {
  return { hiddenStates: () => states, attentionInputs: () => [] };
}

function measured(states: readonly Tensor[], options: object = {}, layerOf?: LayerOf): Signature {
  return measureMomentRank2(model(states), completeSettings(options), layerOf);
}

function failed({ claims }: Signature): string[] {
  return claims.filter(({ held }) => !held).map(({ quantity }) => quantity);
}

function unrefuted({ claims }: Signature): string[] {
  return claims.filter(({ control }) => !control.refuted).map(({ quantity }) => quantity);
}

interface Case {
  readonly what: string;
  readonly layerOf: LayerOf;
  /** The claims that must not hold, and no others. */
  readonly fails: readonly string[];
  readonly form?: Form;
}

const cases: readonly Case[] = [
  { what: "no P", layerOf: withoutMoments, fails: ["moment residual", "error identity"] },
  { what: "plain T_r", layerOf: plainTruncation, fails: ["moment residual", "error identity"] },
  { what: "other E", layerOf: otherMoments, fails: quantities },
  { what: "P along a slanted direction", layerOf: oblique, fails: ["moment residual", "error identity"] },
  {
    what: "moments that are off by 8e-6",
    layerOf: withForward((h, layer) => layer.forward(h).add(1e-6)),
    fails: ["moment residual"],
  },
  {
    what: "a little of what was cut",
    layerOf: withForward((h, layer) => layer.forward(h).add(layer.projector.remove(h).mul(1e-5))),
    fails: ["error identity"],
  },
  {
    what: "one rank less",
    layerOf: withSettings(({ rank }) => ({ rank: rank - 1 })),
    fails: ["error identity"],
  },
  {
    what: "one rank more",
    layerOf: withSettings(({ rank }) => ({ rank: rank + 1 })),
    fails: ["error identity", "true rank"],
  },
  {
    what: "form B for A",
    layerOf: withSettings(() => ({ form: "B" })),
    fails: ["error identity"],
    form: "A",
  },
  {
    what: "form A for B",
    layerOf: withSettings(() => ({ form: "A" })),
    fails: ["error identity"],
    form: "B",
  },
  { what: "no compression", layerOf: withForward((h) => h), fails: ["error identity", "true rank"] },
  { what: "NaN", layerOf: withForward((h, layer) => layer.forward(h).mul(NaN)), fails: quantities },
];

describe("the claims of measureMomentRank2", () => {
  it.each([
    ["A", 1],
    ["A", 2],
    ["B", 2],
    ["B", 3],
  ])("hold for the layer of form %s and rank %i, and their controls are refuted", (form, rank) => {
    const signature = measured(someStates(3), { form, rank });
    expect(signature.claims.map(({ quantity }) => quantity)).toEqual(quantities);
    expect(failed(signature)).toEqual([]);
    expect(unrefuted(signature)).toEqual([]);
    expect(signature.confirmed).toBe(true);
  });

  it.each(cases)("$fails fail for a layer with $what", ({ layerOf, fails, form }) => {
    for (const each of form ? [form] : forms) {
      const signature = measured(someStates(2), { form: each }, layerOf);
      expect(failed(signature), `form ${each}`).toEqual(fails);
      expect(unrefuted(signature), `form ${each}`).toEqual([]);
      expect(signature.confirmed).toBe(false);
    }
  });

  it.each(forms)("hold, but nothing is confirmed where every control is as good, form %s", (form) => {
    // Rank 2 and no moments: plain truncation returns the states, and they have the rank of compressed ones.
    const signature = measured([hiddenStates([{ mass: 0, momentum: 0, s: [3, 2] }])], { form });
    expect(failed(signature)).toEqual([]);
    expect(unrefuted(signature)).toEqual(quantities);
    expect(signature.confirmed).toBe(false);
  });

  it.each(forms)("are not confirmed where one control alone is as good, form %s", (form) => {
    // The momentum that T_2 loses is beyond the tolerance, but by less than the margin.
    const drifting = (momentum: number) =>
      measured([hiddenStates([{ mass: 0, momentum, s: [3, 2, 1] }])], { form });
    const [residual] = drifting(3e-4).claims;
    expect(residual!.control.observed).toBeGreaterThan(500 * residual!.tolerance);
    expect(residual!.control.refuted).toBe(false);
    expect(drifting(8e-4).claims[0]!.control.refuted).toBe(true);
    // The share momentum²/‖H‖² that the identity misses, with the momentum itself beyond every margin.
    const share = (momentum: number) =>
      measured([hiddenStates([{ mass: 0, momentum, s: [3, 2] }])], { form }).claims[1]!;
    expect(share(0.1).control.observed).toBeCloseTo(0.01 / 13.01, 6);
    expect(share(0.1).control.refuted).toBe(false);
    expect(share(0.2).control.refuted).toBe(true);
    // Rank 4 before the compression already.
    const few = measured([...someStates(1), hiddenStates([{ mass: 1, momentum: 1, s: [3, 2, 1.5] }])], {
      form,
    });
    expect(failed(few)).toEqual([]);
    expect(unrefuted(few)).toEqual(["true rank"]);
    expect(few.confirmed).toBe(false);
    expect(controlMargin).toBe(1000);
  });

  it("say nothing of the rank where r + 2 is every matrix, and fail on states that are not finite", () => {
    expect(measured(someStates(1), { rank: 6 }).claims.map(({ quantity }) => quantity)).toEqual(
      quantities.slice(0, 2),
    );
    const broken = tensor(new Float32Array(128).fill(NaN), { shape: [2, 64] });
    expect(failed(measured([broken, ...someStates(1)]))).toEqual(quantities.slice(0, 2));
    expect(failed(measured([...someStates(1), broken]))).toEqual(quantities);
  });

  it("need a model with hidden states", () => {
    expect(() => measured([])).toThrow(/E_IDEA.*recurrent/);
  });
});

describe("the figures of measureMomentRank2", () => {
  const steps: readonly (readonly KnownState[])[] = [
    [
      { mass: 1, momentum: 2, s: [4, 3, 0.5] },
      { mass: -6, momentum: 0.5, s: [3, 2, 1.9] },
    ],
    [
      { mass: 0.5, momentum: -0.25, s: [1, 0.95, 0.2] },
      { mass: 0, momentum: 0, s: [2, 0.5] },
    ],
    [
      { mass: 2, momentum: -1.2, s: [2.5, 2, 0.125] },
      { mass: 0.75, momentum: 3, s: [1] },
    ],
  ];

  it.each(
    forms.flatMap((form) => [
      { form, rank: 2, bound: 8 },
      { form, rank: 1, bound: 8 },
      { form, rank: 2, bound: 1.5 },
      { form, rank: 1, bound: 30 },
    ]),
  )("are those of states whose singular values are known: $form, rank $rank, bound $bound", (options) => {
    const settings = completeSettings(options);
    const figures = measured(steps.map(hiddenStates), options).figures as unknown as MomentFigures;
    const known = steps.map((states) => states.map((state) => figuresOf(state, settings)));
    const all = known.flat();
    const last = known.at(-1)!;
    const sum = (of: (each: (typeof all)[number]) => number, over = all): number =>
      over.reduce((total, each) => total + of(each), 0);
    const whole = sum(({ norm }) => norm);
    const expected = {
      raw_norm: Math.sqrt(sum(({ norm }) => norm, last)),
      state_norm: Math.sqrt(whole / all.length),
      compressed_relative_error: Math.sqrt(sum(({ error }) => error) / whole),
      plain_relative_error: Math.sqrt(sum(({ plain }) => plain) / whole),
      moment_share: sum(({ moments }) => moments) / whole,
      plain_moment_drift: Math.max(...all.map(({ drift }) => drift)),
      clip_rate: sum(({ clipped }) => Number(clipped)) / all.length,
    };
    for (const [name, value] of Object.entries(expected)) {
      expect(figures[name as keyof MomentFigures], name).toBeCloseTo(value, 5);
    }
    expect(figures).toMatchObject({
      states: 6,
      true_rank: Math.max(...last.map(({ rank }) => rank)),
      stored_numbers: 16 * settings.rank + 4,
      state_numbers: 64,
    });
    expect(figures.moment_residual).toBeGreaterThan(0);
    expect(figures.moment_residual).toBeLessThanOrEqual(5e-7);
  });

  it("have a residual that is the largest moment the layer leaves off, over every step", () => {
    const shift = withForward((h, layer) => layer.forward(h).add(h.slice([0, 0, 0]).mul(1e-3)));
    const states = [0.5, 2, 1].map((first) => {
      const values = randomNormal(generator(2), [1, 64], { dtype: "float32" }).values();
      values[0] = first;
      return tensor(values, { shape: [1, 64] });
    });
    const { figures, claims } = measured(states, {}, shift);
    expect(figures.moment_residual).toBeCloseTo(8 * 2e-3, 6);
    expect(claims[0]).toMatchObject({ observed: figures.moment_residual, held: false });
  });
});
