import { noGrad, type Tensor } from "../../../autograd/index.js";
import type { IdeaOptions } from "../../../ideas/index.js";
import { residualPivoted } from "../../../ideas/residual-pivoted/index.js";
import { measureQuality, relativeError } from "../../../ideas/residual-pivoted/evidence/quality.js";
import { completeSettings, pivotLaws } from "../../../ideas/residual-pivoted/settings.js";
import { attention } from "../../../nn/index.js";
import { generator } from "../../../random/index.js";
import type { Floats } from "../../../tensor/index.js";
import { sliceBatch } from "../../cells/batch.js";
import { dataOf } from "../../cells/track-data.js";
import type { IdeaReference, TrainSpec } from "../../cells/spec.js";
import type { BenchModel } from "../../models/index.js";
import type { StudiedModel } from "../study.js";
import { loadModel, scoreOfModel } from "./studied-model.js";

/** One trained model that is looked at with one rank. */
export interface AttentionQualityPoint extends Readonly<Record<string, number | string>> {
  readonly track: string;
  /** `exact`: trained with exact attention; `pivoted`: trained through pivots of this rank. */
  readonly trained: "exact" | "pivoted";
  readonly seed: number;
  readonly rank: number;
}

/** A number for each way to approximate attention, by its name. */
export type ByMethod = Readonly<Record<string, number>>;

/** What approximations of one rank are worth on the attention of one trained model. */
export type AttentionQualityFigures = {
  /** The model's score as it was trained. */
  readonly score: number;
  /** Its score with each approximation in the place of its attention. */
  readonly scores: ByMethod;
  /** ‖ô − o‖/‖o‖ against exact attention on the model's own q, k and v, mean over inputs, layers and heads. */
  readonly outputError: ByMethod;
  /** tr R_r/tr K of each law of pivots, and the least that any factor of this rank leaves, as `optimal`. */
  readonly traceLeft: ByMethod;
};

/** Inputs whose attention is looked at. */
const inputs = 2;

/** Choices of random pivots that the traces average over. */
const repeats = 4;

/** What is tried in place of attention: the laws of pivots, then the controls that are no law and train nothing. */
export const rivals = ["nystrom", "random-features", "oracle-svd", "mean-of-v"] as const;

/**
 * The training cell of a point: the budget of the preset `standard`, without which `recall` is not learned at all, at the rate
 * that suits residual-pivoted attention of rank 4 best on both tracks.
 */
export function qualityModel({ track, trained, seed, rank }: AttentionQualityPoint): TrainSpec {
  return {
    kind: "train",
    track,
    model: "transformer_tiny",
    arm: trained === "exact" ? "baseline" : "idea",
    cfg: { lr: 0.003 },
    seed,
    trainSize: 2000,
    validationSize: 0,
    testSize: 200,
    evaluate: "test",
    epochs: 20,
    batchSize: 32,
    optimizer: "adam",
    idea: trained === "exact" ? null : reference({ rank }),
  };
}

function reference(options: IdeaOptions, control?: string): IdeaReference {
  const { name, options: defaults } = residualPivoted;
  return { name, options: { ...defaults, ...options }, ...(control !== undefined && { control }) };
}

/** Computes a point on its model. */
export function attentionQualityCell(
  { rank }: AttentionQualityPoint,
  [studied]: readonly StudiedModel[],
): AttentionQualityFigures {
  const { spec } = studied!;
  const { track, data } = dataOf(spec);
  const { steps } = track.input;
  const ways = new Map<string, IdeaReference>([
    ...pivotLaws.map((pivots): [string, IdeaReference] => [pivots, reference({ rank, pivots })]),
    ...rivals.map((name): [string, IdeaReference] => [
      name,
      reference({ rank: Math.min(rank, steps) }, name),
    ]),
  ]);
  const { x } = sliceBatch(data.test, track, 0, inputs);
  const sites = loadModel(studied!).observe(x).attentionInputs();
  return {
    score: scoreOfModel(studied!),
    scores: Object.fromEntries([...ways].map(([name, idea]) => [name, scoreOfModel(studied!, idea)])),
    ...qualityOf(sites, ways, rank),
  };
}

type Sites = ReturnType<ReturnType<BenchModel["observe"]>["attentionInputs"]>;

function qualityOf(
  sites: Sites,
  ways: ReadonlyMap<string, IdeaReference>,
  rank: number,
): Pick<AttentionQualityFigures, "outputError" | "traceLeft"> {
  const settings = completeSettings({ rank });
  const rng = generator(0).stream("attention-quality");
  const qualities = sites.flatMap(({ q, k, v }) =>
    problemsOf(q, k, v).map((problem) => measureQuality(problem, settings, rng, repeats)),
  );
  const mean = (of: (quality: (typeof qualities)[number]) => number): number =>
    qualities.reduce((sum, quality) => sum + of(quality), 0) / qualities.length;
  return {
    outputError: {
      ...Object.fromEntries(pivotLaws.map((law) => [law, mean(({ laws }) => laws[law].outputError)])),
      ...Object.fromEntries(rivals.map((name) => [name, rivalError(sites, ways.get(name)!)])),
    },
    traceLeft: {
      optimal: mean(({ optimalTrace }) => optimalTrace),
      ...Object.fromEntries(pivotLaws.map((law) => [law, mean(({ laws }) => laws[law].traceLeft)])),
    },
  };
}

/** The relative error of a rival's outputs, mean over inputs, layers and heads. */
function rivalError(sites: Sites, { options, control }: IdeaReference): number {
  const change = residualPivoted.controls!.find(({ name }) => name === control)!;
  const attend = change.change(options, generator(0).stream(`rival ${control}`)).attention!;
  const errors = sites.flatMap(({ layer, causal = false, q, k, v }) =>
    noGrad(() => {
      const exact = rowsOf(attention(q, k, v, { causal }));
      return rowsOf(attend(q, k, v, { layer, causal })).map((row, at) => relativeError(row, exact[at]!));
    }),
  );
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

/** x `[batch, heads, n, d]` one head after another. */
function rowsOf(x: Tensor): readonly Floats[] {
  const [batch, heads, n, d] = x.shape as [number, number, number, number];
  const values = x.values() as Floats;
  return Array.from({ length: batch * heads }, (_, p) => values.subarray(p * n * d, (p + 1) * n * d));
}

function problemsOf(q: Tensor, k: Tensor, v: Tensor) {
  const size = { queries: q.shape[2]!, keys: k.shape[2]!, width: q.shape[3]!, channels: v.shape[3]! };
  const [queries, keys, values] = [rowsOf(q), rowsOf(k), rowsOf(v)];
  return queries.map((own, p) => ({ size, q: own, k: keys[p]!, v: values[p]! }));
}
