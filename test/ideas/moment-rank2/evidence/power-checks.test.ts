import { describe, expect, it } from "vitest";
import type { Tensor } from "../../../../src/autograd/index.js";
import {
  powerChecks,
  type PowerLayer,
  type PowerLayerOf,
} from "../../../../src/ideas/moment-rank2/evidence/power-checks.js";
import { measurePowerMoments } from "../../../../src/ideas/moment-rank2/evidence/power-measure.js";
import { completeSettings } from "../../../../src/ideas/moment-rank2/settings.js";
import { powerLayer } from "../../../../src/ideas/moment-rank2/state-compression.js";
import { generator } from "../../../../src/random/index.js";
import { someStates } from "../some-states.js";

const settings = completeSettings({ moments: "power" });

/** The layer with another map in place of C. */
const withForward =
  (forward: (h: Tensor, layer: PowerLayer) => Tensor): PowerLayerOf =>
  (given, counter) => {
    const layer = powerLayer(given, counter);
    return { forward: (h) => forward(h, layer), truncate: (h) => layer.truncate(h) };
  };

/** The counter goes with the layer that is right, so that what is broken is counted as kept. */
const broken: readonly [what: string, layerOf: PowerLayerOf, fails: readonly string[]][] = [
  ["is right", powerLayer, []],
  [
    "keeps no means",
    withForward((h, layer) => (layer.forward(h), layer.truncate(h))),
    ["max_moment_residual", "exactness"],
  ],
  ["keeps everything", withForward((h, layer) => (layer.forward(h), h)), ["true_rank"]],
  ["moves zero", withForward((h, layer) => layer.forward(h).add(1e-7)), ["exactness", "zero"]],
  [
    "falls back",
    (given, counter) => {
      const layer = powerLayer(given, counter);
      const shifted = (h: Tensor): Tensor => {
        const result = layer.forward(h);
        if (counter) counter.fallbacks++;
        return result;
      };
      return { forward: shifted, truncate: (h) => layer.truncate(h) };
    },
    ["fallbacks"],
  ],
];

describe("powerChecks", () => {
  it.each(broken)("of a layer that %s", (_, layerOf, fails) => {
    const failed = powerChecks(settings, generator(3), layerOf).filter(({ passed }) => !passed);
    expect(failed.map(({ name }) => name)).toEqual(fails);
  });
});

describe("measurePowerMoments", () => {
  const trained = { hiddenStates: () => someStates(2), attentionInputs: () => [] };

  it("confirms the layer, tells its figures, and refutes one that keeps no means", () => {
    const { confirmed, figures } = measurePowerMoments(trained, settings);
    expect(confirmed).toBe(true);
    expect(figures).toMatchObject({ states: 40, stored_numbers: 34, true_rank: 3, fallback_rate: 0 });
    const plain = withForward((h, layer) => (layer.forward(h), layer.truncate(h)));
    const refuted = measurePowerMoments(trained, settings, plain);
    expect(refuted.confirmed).toBe(false);
    expect(refuted.claims.filter(({ held }) => !held).map(({ quantity }) => quantity)).toEqual([
      "moment residual",
    ]);
  });

  it("confirms nothing where the means of many states cannot be had", () => {
    const four = completeSettings({ moments: "power", powers: 4, rank: 1 });
    const { confirmed, claims, figures } = measurePowerMoments(trained, four);
    expect(figures.fallback_rate).toBeGreaterThan(0.1);
    expect(claims.find(({ quantity }) => quantity.startsWith("states"))!.held).toBe(false);
    expect(confirmed).toBe(false);
  });

  it("needs hidden states", () => {
    expect(() =>
      measurePowerMoments({ hiddenStates: () => [], attentionInputs: () => [] }, settings),
    ).toThrow(/E_IDEA/);
  });
});
