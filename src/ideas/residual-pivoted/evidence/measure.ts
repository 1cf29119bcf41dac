import { fail } from "../../../errors/index.js";
import type { Generator } from "../../../random/index.js";
import type { Floats } from "../../../tensor/index.js";
import type { Json, Signature, TrainedModel } from "../../idea.js";
import { defaultCausalSettings, type CausalSettings } from "../causal/schedule.js";
import { causalQuality } from "./causal-quality.js";
import { exactClaim, sampledClaim, withheld } from "./claims.js";
import { pointsOf, type Problem } from "./problem.js";
import { measureQuality, type Quality } from "./quality.js";
import { bernsteinTail, standardScore } from "./sampling-interval.js";
import { pivotLaws, type Settings } from "../settings.js";
import { exponentialSubject } from "./subject.js";
import { samplingDraws, traceTolerance } from "./tolerances.js";
import { traceIdentity, type TraceCell } from "./trace-identity.js";

/** Batch elements that are looked at, in every layer and head. */
const sampledElements = 2;

/** Choices of random pivots that the figures of quality average over. */
const qualityRepeats = 8;

/** The figures of one signature that the summary of all seeds is made of. */
export interface TraceFigures {
  readonly rank: number;
  /** Inputs × layers × heads that were evaluated, and those left out because they are not finite. */
  readonly problems: number;
  readonly notFinite: number;
  /** Ranks × problems at which the identity was evaluated; fewer where too little of tr K was left to tell. */
  readonly cells: number;
  readonly draws: number;
  /** Means over the cells, as fractions of tr K. */
  readonly predicted: number;
  readonly expected: number;
  readonly sampled: number;
  readonly uniform: number;
  readonly sampledUniform: number;
  /** The largest error over the cells of the expectation, and of that under uniform pivots. */
  readonly largestError: number;
  readonly largestUniformError: number;
  /** The least Bernstein bound over the cells: of the sampled means, and of those of uniform pivots. */
  readonly leastTail: number;
  readonly leastUniformTail: number;
  /** The largest standard score of a sampled mean, and the root mean square of all. */
  readonly largestScore: number;
  readonly rootMeanSquareScore: number;
}

/**
 * The mechanism on one trained model: for two test inputs, in every layer and head and at every rank 0 … r − 1, the
 * trace identity in exact expectation and in the mean of {@link samplingDraws} drawn pivots, each beside uniform
 * pivots; and what the pivots are worth ({@link Quality}). Problems that are not finite are left out and counted, and
 * no claim holds then, whatever the others say. In the causal form, which a causal model has in any case, outputs are those of
 * that form beside exact causal attention; the identity is about all tokens as it is. E_IDEA when the model has no attention.
 */
export function measureResidualPivoted(
  trained: TrainedModel,
  settings: Settings,
  rng: Generator,
  causal: CausalSettings = defaultCausalSettings,
): Signature {
  const sites = trained.attentionInputs();
  if (sites.length === 0) {
    fail(
      "E_IDEA",
      "residual-pivoted: expected a model with attention, this one shows no attention inputs; choose transformer_tiny",
    );
  }
  const sampled = sites.flatMap(sampleProblems);
  const problems = sampled.filter(allFinite);
  const notFinite = sampled.length - problems.length;
  const reason = `queries, keys or values are not finite in ${notFinite} of ${sampled.length} problems of the trained model`;
  const single = sites[0]!.q.dtype === "float32";
  const identity = rng.stream("identity");
  const known = problems.map((problem) => {
    const points = pointsOf(problem);
    return { problem, points, subject: exponentialSubject(points) };
  });
  const cells = known.flatMap(({ subject }) =>
    traceIdentity(subject, settings.rank, settings.pivots, identity, samplingDraws),
  );
  if (cells.length === 0) {
    return { claims: [], confirmed: false, figures: { problems: 0, notFinite, cells: 0, reason } };
  }
  const figures = {
    ...traceFigures(cells, traceTolerance(single)),
    rank: settings.rank,
    problems: problems.length,
    notFinite,
  };
  const found = [exactClaim(figures, traceTolerance(single)), sampledClaim(cells, traceTolerance(single))];
  const claims = notFinite === 0 ? found : found.map((claim) => withheld(claim, reason));
  const choices = rng.stream("quality");
  const causally = causal.causal || sites[0]!.causal === true ? { ...causal, causal: true } : undefined;
  const qualities = known.map(({ problem, points, subject }) => {
    const quality = measureQuality(problem, settings, choices, qualityRepeats, points, subject);
    return causally ? causalQuality(quality, problem, settings, causally, choices, qualityRepeats) : quality;
  });
  return {
    claims,
    confirmed: claims.every((claim) => claim.held && claim.control.refuted),
    figures: { ...figures, ...qualityFigures(qualities), ...(notFinite > 0 ? { reason } : {}) },
  };
}

type Site = ReturnType<TrainedModel["attentionInputs"]>[number];

/** The problems of evenly spaced batch elements in every head of a layer. */
function sampleProblems({ q, k, v }: Site): readonly Problem[] {
  const [batch, heads, queries, width] = q.shape as readonly [number, number, number, number];
  const [keys, channels] = [k.shape[2]!, v.shape[3]!];
  const arrays = { q: q.values() as Floats, k: k.values() as Floats, v: v.values() as Floats };
  const problems: Problem[] = [];
  const count = Math.min(sampledElements, batch);
  for (let element = 0; element < count; element++) {
    const from = Math.floor(((element + 0.5) * batch) / count) * heads;
    for (let p = from; p < from + heads; p++) {
      const part = (array: Floats, each: number): Floats => array.subarray(p * each, (p + 1) * each);
      problems.push({
        size: { queries, keys, width, channels },
        q: part(arrays.q, queries * width),
        k: part(arrays.k, keys * width),
        v: part(arrays.v, keys * channels),
      });
    }
  }
  return problems;
}

function allFinite({ q, k, v }: Problem): boolean {
  return [q, k, v].every((array) => array.every((value: number) => Number.isFinite(value)));
}

function average(cells: readonly TraceCell[], of: (cell: TraceCell) => number): number {
  return cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length;
}

function traceFigures(
  cells: readonly TraceCell[],
  tolerance: number,
): Omit<TraceFigures, "rank" | "problems" | "notFinite"> {
  const scores = cells.map((cell) => standardScore(cell.sampled!));
  return {
    cells: cells.length,
    draws: samplingDraws,
    predicted: average(cells, (cell) => cell.predicted),
    expected: average(cells, (cell) => cell.expected),
    sampled: average(cells, (cell) => cell.sampled!.mean),
    uniform: average(cells, (cell) => cell.uniform),
    sampledUniform: average(cells, (cell) => cell.sampledUniform!.mean),
    largestError: Math.max(...cells.map((cell) => Math.abs(cell.expected - cell.predicted))),
    largestUniformError: Math.max(...cells.map((cell) => Math.abs(cell.uniform - cell.predicted))),
    leastTail: Math.min(...cells.map((cell) => bernsteinTail(cell.sampled!, tolerance))),
    leastUniformTail: Math.min(...cells.map((cell) => bernsteinTail(cell.sampledUniform!, tolerance))),
    largestScore: Math.max(...scores.map(Math.abs)),
    rootMeanSquareScore: Math.sqrt(scores.reduce((sum, score) => sum + score ** 2, 0) / scores.length),
  };
}

/** Means of the qualities over the problems. */
function qualityFigures(qualities: readonly Quality[]): Record<string, Json> {
  const mean = (of: (quality: Quality) => number): number =>
    qualities.reduce((sum, quality) => sum + of(quality), 0) / qualities.length;
  const perLaw = (of: (quality: Quality["laws"]["exp"]) => number): Record<string, number> =>
    Object.fromEntries(pivotLaws.map((law) => [law, mean((quality) => of(quality.laws[law]))]));
  return {
    traceLeft: { optimal: mean((quality) => quality.optimalTrace), ...perLaw((law) => law.traceLeft) },
    outputError: {
      meanOfValues: mean((quality) => quality.meanOfValuesError),
      ...perLaw((law) => law.outputError),
    },
    floored: perLaw((law) => law.floored),
    clamped: perLaw((law) => law.clamped),
  };
}
