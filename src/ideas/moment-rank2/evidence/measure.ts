import { noGrad, scope, type Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import type { Claim, Signature, TrainedModel } from "../../idea.js";
import { gridLayer, momentsOf, type LayerOf } from "../grid-layer.js";
import type { MomentPreservingLayer } from "../moment-preserving-layer.js";
import { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";
import { asMatrices, units } from "../state-grid.js";
import { storedNumbers } from "../stored-numbers.js";
import { TruncationCounter } from "../truncation-counter.js";
import { cutOf } from "./cut.js";
import { Scaled } from "./scaled.js";
import {
  largestGap,
  momentDrift,
  predictedErrors,
  squaredNorms,
  squaredProjections,
} from "./state-figures.js";
import { controlMargin, errorTolerance, momentTolerance } from "./tolerances.js";
import { nodeRanks, rankLaw } from "./true-rank.js";

/** The figures of one trained model; norms are Frobenius norms. */
export interface MomentFigures {
  /** Hidden states looked at: steps × test series. */
  readonly states: number;
  /** ‖H‖ over the states of the last step together. */
  readonly raw_norm: number;
  /** Root mean square of ‖H‖ over the single states. */
  readonly state_norm: number;
  /** ‖C(H) − H‖/‖H‖ over all states together. */
  readonly compressed_relative_error: number;
  /** ‖T_r(H) − H‖/‖H‖ over all states together: plain truncation. */
  readonly plain_relative_error: number;
  /** ‖P(H)‖²/‖H‖² over all states together: how much of the states are moments. */
  readonly moment_share: number;
  /** max |⟨E_k, C(H) − H⟩| over all states. */
  readonly moment_residual: number;
  /** The same with plain T_r(H) in place of C(H). */
  readonly plain_moment_drift: number;
  /** The largest rank of a compressed state of the last step. */
  readonly true_rank: number;
  /** Numbers that describe a compressed state, and a state. */
  readonly stored_numbers: number;
  readonly state_numbers: number;
  /** The share of states whose exact gradient the bound clips. */
  readonly clip_rate: number;
}

/**
 * The mechanism on one trained model, at every step of the test series:
 *
 * - the moments of the float32 layer, measured in float64, stay; with plain T_r they drift;
 * - the error obeys its identity; with plain T_r it does not;
 * - a compressed state of the last step has at most rank r + 2; a raw one has more.
 *
 * A control counts as refuted a factor of {@link controlMargin} beyond the tolerance. `layerOf` makes the layer that is
 * measured; what it must keep and cut is worked out from the settings. E_IDEA when the model shows no hidden states.
 */
export function measureMomentRank2(
  trained: TrainedModel,
  settings: Settings,
  layerOf: LayerOf = gridLayer,
): Signature {
  const states = statesOf(trained);
  const { rows, columns } = momentsOf(settings);
  return noGrad(() =>
    measureStates(
      states.map((h) => asMatrices(h, { rows, columns })),
      settings,
      layerOf(settings),
    ),
  );
}

/** The hidden states of a trained model. E_IDEA when it shows none. */
export function statesOf(trained: TrainedModel): readonly Tensor[] {
  const states = trained.hiddenStates();
  if (states.length === 0) {
    fail(
      "E_IDEA",
      "moment-rank2: expected a recurrent model, this one shows no hidden states; choose rnn_small",
    );
  }
  return states;
}

function measureStates(
  states: readonly Tensor[],
  settings: Settings,
  layer: MomentPreservingLayer,
): Signature {
  const projector = new MomentProjector(momentsOf(settings));
  const scaled = new Scaled(settings);
  const totals = { count: 0, state: 0, error: 0, plain: 0, moments: 0 };
  const largest = { residual: 0, plainDrift: 0, gap: 0, plainGap: 0 };
  const clipped = new TruncationCounter();
  const add = (h: Tensor): Tensor => {
    const c = layer.forward(h);
    const [before, after] = [scaled.scale(h), scaled.scale(c)];
    const cut = cutOf(settings, scaled.projector, before);
    const plain =
      settings.form === "A"
        ? cut.truncated
        : cutOf({ ...settings, form: "A" }, scaled.projector, before).truncated;
    const raw = squaredNorms(before);
    const error = squaredNorms(after, before);
    const plainError = squaredNorms(plain, before);
    const predicted = predictedErrors(scaled.projector, cut);
    totals.count += raw.length;
    totals.state += total(raw);
    totals.error += total(error);
    totals.plain += total(plainError);
    totals.moments += total(squaredProjections(scaled.projector, before));
    largest.residual = Math.max(largest.residual, momentDrift(projector, c, h));
    largest.plainDrift = Math.max(largest.plainDrift, momentDrift(scaled.projector, plain, before));
    largest.gap = Math.max(largest.gap, largestGap(error, predicted, raw));
    largest.plainGap = Math.max(largest.plainGap, largestGap(plainError, predicted, raw));
    for (const { s, k, rank } of cut.spectra) clipped.count(s, k, rank, settings.bound);
    return c;
  };
  for (const h of states.slice(0, -1)) scope(() => void add(h));
  const last = states.at(-1)!;
  const ranks = scope(() => nodeRanks(settings, add(last)));
  const figures: MomentFigures = {
    states: totals.count,
    raw_norm: Math.sqrt(total(squaredNorms(last))),
    state_norm: Math.sqrt(totals.state / totals.count),
    compressed_relative_error: Math.sqrt(totals.error / totals.state),
    plain_relative_error: Math.sqrt(totals.plain / totals.state),
    moment_share: totals.moments / totals.state,
    moment_residual: largest.residual,
    plain_moment_drift: largest.plainDrift,
    true_rank: Math.max(...ranks),
    stored_numbers: storedNumbers(settings),
    state_numbers: units,
    clip_rate: clipped.rate,
  };
  const claims = [
    smallClaim(
      "moment residual",
      "max |⟨E_k, C(H) − H⟩|, float32 states measured in float64",
      largest.residual,
      momentTolerance,
      largest.plainDrift,
    ),
    smallClaim(
      "error identity",
      "max |‖H − C‖² − (‖D‖² − ‖P(D)‖²)|/‖H‖², D what the truncation cut off",
      largest.gap,
      errorTolerance,
      largest.plainGap,
    ),
    ...rankClaims(settings, ranks, last),
  ];
  const confirmed = claims.every(({ held, control }) => held && control.refuted);
  return { claims, confirmed, figures: { ...figures } };
}

/** Something that vanishes but for rounding, beside the same of plain truncation. */
export function smallClaim(
  quantity: string,
  statement: string,
  observed: number,
  tolerance: number,
  control: number,
): Claim {
  return {
    quantity,
    statement,
    where: "trained model",
    predicted: 0,
    observed,
    tolerance,
    held: observed <= tolerance,
    control: {
      what: "plain T_r in place of C on the same states",
      observed: control,
      refuted: control > controlMargin * tolerance,
    },
  };
}

/** The claim on the true rank of compressed states, whose {@link nodeRanks} are given; none where every matrix has it. */
export function rankClaims(settings: Settings, ranks: readonly number[], raw: Tensor): Claim[] {
  const { statement, most, binding, observe } = rankLaw(settings);
  if (!binding) return [];
  const [observed, before] = [observe(ranks), observe(nodeRanks(settings, raw))];
  return [
    {
      quantity: "true rank",
      statement: `${statement}, the largest at the last step`,
      where: "trained model",
      predicted: most,
      observed,
      tolerance: 0,
      held: observed <= most,
      control: { what: "the same states before the compression", observed: before, refuted: before > most },
    },
  ];
}

export function total(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]!;
  return sum;
}
