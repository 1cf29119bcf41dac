import type { Generator } from "../../../random/index.js";
import type { Floats } from "../../../tensor/index.js";
import { forwardBatch } from "../kernel/batch.js";
import { forwardScratch } from "../kernel/forward.js";
import { emptyPoints, placePoints, type Points, type ProblemSize } from "../kernel/points.js";
import type { Settings } from "../settings.js";
import { layerParts, type LayerParts } from "./layer-parts.js";
import { emptyTape, problemTape, type ProblemTape } from "../kernel/tape.js";

/** One attention problem with everything unmasked: q `[queries, width]`, k `[keys, width]`, v `[keys, channels]`. */
export interface Problem {
  readonly size: ProblemSize;
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
}

/** A problem of normal numbers, q and k with standard deviation `spread`. */
export function randomProblem(size: ProblemSize, single: boolean, spread: number, rng: Generator): Problem {
  const floats = (count: number, std: number): Floats => {
    const normals = rng.normals(count, 0, std);
    return single ? Float32Array.from(normals) : normals;
  };
  return {
    size,
    q: floats(size.queries * size.width, spread),
    k: floats(size.keys * size.width, spread),
    v: floats(size.keys * size.channels, 1),
  };
}

/** The points of a problem. */
export function pointsOf(problem: Problem): Points {
  const points = emptyPoints(problem.size, problem.q instanceof Float32Array);
  placePoints(points, problem.q, problem.k);
  return points;
}

/** What one run of the layer on a problem gives. */
export interface Run {
  readonly tape: ProblemTape;
  readonly rank: number;
  readonly output: Floats;
}

/** Runs the layer on one problem, with drawn pivots or with held ones. */
export function runProblem(
  problem: Problem,
  settings: Settings,
  source: { readonly rng: Generator } | { readonly held: Int32Array },
  parts: Pick<LayerParts, "forwardProblem"> = layerParts,
): Run {
  const { size, q, k, v } = problem;
  const single = q instanceof Float32Array;
  const tape = problemTape(emptyTape(size, 1, settings.rank, single), 0);
  const length = size.queries * size.channels;
  const output = single ? new Float32Array(length) : new Float64Array(length);
  const { rank } = parts.forwardProblem(
    tape,
    { q, k, v, queryMask: undefined, keyMask: undefined },
    "held" in source ? source : { law: settings.pivots, uniforms: source.rng.uniforms(settings.rank) },
    settings.ridge,
    forwardScratch(size.queries + size.keys, single),
    output,
  );
  return { tape, rank, output };
}

/**
 * What `count` calls of {@link runProblem} with pivots drawn from `rng` give, to the last bit: all of them in one batch of
 * the layer, which has fast kernels.
 */
export function runRepeatedly(
  { size, q, k, v }: Problem,
  { rank, pivots: law, ridge }: Settings,
  rng: Generator,
  count: number,
): readonly Run[] {
  const inputs = { q: repeated(q, count), k: repeated(k, count), v: repeated(v, count) };
  const length = size.queries * size.channels;
  const output =
    q instanceof Float32Array ? new Float32Array(count * length) : new Float64Array(count * length);
  const pivots = { law, uniforms: rng.uniforms(count * rank) };
  const tape = forwardBatch(size, count, rank, { ridge, pivots }, inputs, output);
  return Array.from({ length: count }, (_, at) => ({
    tape: problemTape(tape, at),
    rank: tape.ranks[at]!,
    output: output.subarray(at * length, (at + 1) * length),
  }));
}

/** `count` copies of an array, one after another. */
function repeated(array: Floats, count: number): Floats {
  const length = array.length * count;
  const out = array instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
  for (let at = 0; at < length; at += array.length) out.set(array, at);
  return out;
}

/**
 * Exact attention in float64, o_i = Σ_j e^{x_i·y_j} v_j / Σ_j e^{x_i·y_j}, on the points of the layer:
 * `[queries, channels]`.
 */
export function exactAttention(points: Points, v: Floats, channels: number): Float64Array {
  const { queries, keys, width, rows } = points;
  const out = new Float64Array(queries * channels);
  const scores = new Float64Array(keys);
  for (let i = 0; i < queries; i++) {
    const own = i * width;
    let largest = -Infinity;
    for (let j = 0; j < keys; j++) {
      const other = (queries + j) * width;
      let score = 0;
      for (let c = 0; c < width; c++) score += rows[own + c]! * rows[other + c]!;
      scores[j] = score;
      largest = Math.max(largest, score);
    }
    const at = i * channels;
    let normaliser = 0;
    for (let j = 0; j < keys; j++) {
      const weight = Math.exp(scores[j]! - largest);
      const from = j * channels;
      normaliser += weight;
      for (let c = 0; c < channels; c++) out[at + c] = out[at + c]! + weight * v[from + c]!;
    }
    for (let c = 0; c < channels; c++) out[at + c] = out[at + c]! / normaliser;
  }
  return out;
}

/** The mean of the values, repeated for every query: what attention gives when it attends to nothing in particular. */
export function meanOfValues({ size, v }: Problem): Float64Array {
  const { queries, keys, channels } = size;
  const out = new Float64Array(queries * channels);
  for (let c = 0; c < channels; c++) {
    let sum = 0;
    for (let j = 0; j < keys; j++) sum += v[j * channels + c]!;
    for (let i = 0; i < queries; i++) out[i * channels + c] = sum / keys;
  }
  return out;
}
