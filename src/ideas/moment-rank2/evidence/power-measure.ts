import { noGrad, scope, type Tensor } from "../../../autograd/index.js";
import type { Claim, Signature, TrainedModel } from "../../idea.js";
import { momentsOf } from "../grid-layer.js";
import { PowerCounter } from "../power/power-counter.js";
import type { Settings } from "../settings.js";
import { powerLayer } from "../state-compression.js";
import { asMatrices, units } from "../state-grid.js";
import { storedNumbers } from "../stored-numbers.js";
import { TruncationCounter } from "../truncation-counter.js";
import { cutOf } from "./cut.js";
import { rankClaims, smallClaim, statesOf, total, type MomentFigures } from "./measure.js";
import type { PowerLayerOf } from "./power-checks.js";
import { meanProjector, powerDrifts } from "./power-means.js";
import { squaredNorms } from "./state-figures.js";
import { momentTolerance } from "./tolerances.js";
import { nodeRanks } from "./true-rank.js";

/** The figures of a model trained with power moments. */
export interface PowerFigures extends MomentFigures {
  /** The share of states of which not all means could be kept. */
  readonly fallback_rate: number;
}

/** The least share of states whose means must be kept. */
const leastKept = 0.99;

/**
 * The mechanism on one trained model, at every step of the test series: the power means of the float32 layer, measured in
 * float64, stay wherever they can all be had, and they can in 99 % of the states; with plain T they drift. With one or two
 * means a compressed state of the last step has at most rank r + 1. E_IDEA when the model shows no hidden states.
 */
export function measurePowerMoments(
  trained: TrainedModel,
  settings: Settings,
  layerOf: PowerLayerOf = powerLayer,
): Signature {
  return noGrad(() => measureStates(statesOf(trained), settings, layerOf));
}

function measureStates(states: readonly Tensor[], settings: Settings, layerOf: PowerLayerOf): Signature {
  const { powers } = settings;
  const basis = momentsOf(settings);
  const projector = meanProjector(settings);
  const totals = { state: 0, error: 0, plain: 0, mean: 0, keptByPlain: 0 };
  const all = new PowerCounter();
  const clipped = new TruncationCounter();
  let residual = 0;
  let plainDrift = 0;
  const add = (h: Tensor): void => {
    const counter = new PowerCounter();
    const c = layerOf(settings, counter).forward(h);
    const matrices = asMatrices(h, basis);
    const plain = cutOf({ ...settings, form: "A" }, projector, matrices).truncated;
    const drifts = powerDrifts(c, h, powers).sort();
    const plainDrifts = powerDrifts(plain.reshape(h.shape), h, powers);
    const kept = counter.rows - counter.fallbacks;
    residual = Math.max(residual, drifts[kept - 1] ?? 0);
    plainDrift = Math.max(plainDrift, ...plainDrifts);
    all.rows += counter.rows;
    all.fallbacks += counter.fallbacks;
    totals.keptByPlain += plainDrifts.filter((drift) => drift <= momentTolerance).length;
    totals.state += total(squaredNorms(matrices));
    totals.error += total(squaredNorms(asMatrices(c, basis), matrices));
    totals.plain += total(squaredNorms(plain, matrices));
    totals.mean += total(squaredNorms(projector.project(matrices)));
    for (const { s, k, rank } of cutOf(settings, projector, matrices).spectra)
      clipped.count(s, k, rank, settings.bound);
  };
  for (const h of states) scope(() => add(h));
  const last = states.at(-1)!;
  const ranks = nodeRanks(settings, asMatrices(layerOf(settings).forward(last), basis));
  const figures: PowerFigures = {
    states: all.rows,
    raw_norm: Math.sqrt(total(squaredNorms(asMatrices(last, basis)))),
    state_norm: Math.sqrt(totals.state / all.rows),
    compressed_relative_error: Math.sqrt(totals.error / totals.state),
    plain_relative_error: Math.sqrt(totals.plain / totals.state),
    moment_share: totals.mean / totals.state,
    moment_residual: residual,
    plain_moment_drift: plainDrift,
    true_rank: Math.max(...ranks),
    stored_numbers: storedNumbers(settings),
    state_numbers: units,
    clip_rate: clipped.rate,
    fallback_rate: all.rate,
  };
  const claims = [
    smallClaim(
      "moment residual",
      `max |mean(c^k) − mean(h^k)|, k ≤ ${powers}, of states whose means can all be had, float32 states measured in float64`,
      residual,
      momentTolerance,
      plainDrift,
    ),
    keptClaim(1 - all.rate, totals.keptByPlain / all.rows),
    ...rankClaims(settings, ranks, asMatrices(last, basis)),
  ];
  return {
    claims,
    confirmed: claims.every(({ held, control }) => held && control.refuted),
    figures: { ...figures },
  };
}

function keptClaim(observed: number, plain: number): Claim {
  const held = (share: number): boolean => share >= leastKept;
  return {
    quantity: "states whose means are kept",
    statement: `the share of states whose means can all be had, at least ${leastKept}`,
    where: "trained model",
    predicted: 1,
    observed,
    tolerance: 1 - leastKept,
    held: held(observed),
    control: { what: "plain T in place of C on the same states", observed: plain, refuted: !held(plain) },
  };
}
