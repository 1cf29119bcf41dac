import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { backwardScratch } from "../kernel/backward.js";
import { innerProduct } from "./inner-product.js";
import { layerParts, type LayerParts } from "./layer-parts.js";
import { mathCheck } from "../../math-check.js";
import { exactAttention, pointsOf, randomProblem, runProblem, type Problem, type Run } from "./problem.js";
import { relativeError } from "./quality.js";
import type { Settings } from "../settings.js";

const size = { queries: 16, keys: 16, width: 8, channels: 8 };
const problems = 6;

function randomProblems(single: boolean, rng: Generator): readonly Problem[] {
  return Array.from({ length: problems }, (_, at) => randomProblem(size, single, 0.4 + 0.3 * at, rng));
}

/** The problem with values around 3: a floored row, whose weights do not add up to 1, then leaves their range. */
function farFromZero(problem: Problem): Problem {
  return { ...problem, v: Float64Array.from(problem.v, (value) => value + 3) };
}

/** The identities of the attention made of the elimination, on random q, k and v. */
export function attentionChecks(
  settings: Settings,
  rng: Generator,
  parts: LayerParts = layerParts,
): readonly MathCheck[] {
  const single = randomProblems(true, rng);
  const double = randomProblems(false, rng);
  const plain: Settings = { rank: settings.rank, pivots: "exp", ridge: 0 };
  const whole: Settings = { ...plain, rank: size.queries + size.keys };
  const half: Settings = { ...plain, rank: size.keys };
  const few: Settings = { ...plain, rank: Math.min(settings.rank, 4) };
  const worst = (list: readonly Problem[], of: (problem: Problem) => number): number =>
    Math.max(...list.map(of));
  const run = (problem: Problem, own: Settings): Run => runProblem(problem, own, { rng }, parts);
  const clamped = double.map(farFromZero).map((problem) => ({ problem, run: run(problem, few) }));
  const pivotError = (problem: Problem): number => pivotColumnError(run(problem, plain));
  const fullError = (problem: Problem): number =>
    relativeError(run(problem, whole).output, exactOutput(problem));
  const exactPivots = "(F Fᵀ)_is = A_is for every pivot s and every i, A of unit diagonal";
  const fullRank = "‖ô − o‖ / ‖o‖ with all 2n points as pivots";
  return [
    mathCheck("exact in the pivots' columns, float32", exactPivots, worst(single, pivotError), 1e-6),
    mathCheck("exact in the pivots' columns, float64", exactPivots, worst(double, pivotError), 1e-14),
    mathCheck("full rank is exact attention, float32", fullRank, worst(single, fullError), 1e-5),
    mathCheck("full rank is exact attention, float64", fullRank, worst(double, fullError), 1e-10),
    mathCheck(
      "error identity, float64",
      "ô_i − o_i = (1/Z_i) Σ_j e_ij (v_j − ô_i), e = Â − A, before floor and clamp, of max |v|",
      largestOfSome(double.map((problem) => errorIdentityError(problem, run(problem, half)))),
      1e-9,
    ),
    mathCheck(
      "clamp never moves away, float64",
      "|clamp(ô) − o| − |ô − o|, channel by channel",
      largestOfSome(clamped.map(({ problem, run }) => clampLoss(problem, run))),
      1e-12,
    ),
    mathCheck(
      "outputs lie among the values, float64",
      "max(ô − max v, min v − ô), channel by channel",
      Math.max(...clamped.map(({ problem, run }) => overshoot(problem, run))),
      0,
    ),
    gradientCheck(double, { ...plain, ridge: settings.ridge }, rng, parts),
  ];
}

/** The gradient on the problems that have one along the direction drawn; a check of none is no check and fails. */
export function gradientCheck(
  list: readonly Problem[],
  settings: Settings,
  rng: Generator,
  parts: LayerParts = layerParts,
): MathCheck {
  const errors = list.map((problem) => gradientError(problem, settings, rng, parts));
  const used = errors.filter((error) => error !== undefined).length;
  return mathCheck(
    "gradient, float64",
    "⟨∂L/∂(q, k, v), t⟩ against a fourth-order difference along t, pivots held, relative, in the " +
      `${used} of ${list.length} problems that are smooth there`,
    largestOfSome(errors),
    1e-8,
  );
}

/** The largest of the errors that there are; NaN when there is none, because nothing was checked then. */
function largestOfSome(errors: readonly (number | undefined)[]): number {
  const some = errors.filter((error) => error !== undefined);
  return some.length === 0 ? NaN : Math.max(...some);
}

function exactOutput(problem: Problem): Float64Array {
  return exactAttention(pointsOf(problem), problem.v, problem.size.channels);
}

/** The largest difference of F Fᵀ and A in the columns of the pivots. */
export function pivotColumnError({ tape, rank }: Run): number {
  const rows = tape.points.present.length;
  let worst = 0;
  for (let s = 0; s < rank; s++) {
    for (let i = 0; i < rows; i++) {
      let sum = 0;
      for (let t = 0; t < rank; t++)
        sum += tape.factor[t * rows + i]! * tape.factor[t * rows + tape.pivots[s]!]!;
      worst = Math.max(worst, Math.abs(sum - tape.columns[s * rows + i]!));
    }
  }
  return worst;
}

/**
 * The largest residue of the error identity over rows whose normaliser was not floored, of the largest |v|; undefined
 * when every one was. Rows and columns of pivots are the kernel's own in Â, and no error.
 */
export function errorIdentityError(problem: Problem, { tape, rank }: Run): number | undefined {
  const { points, factor, raw } = tape;
  const { queries, keys, channels } = problem.size;
  const rows = queries + keys;
  if (tape.floored.every((flag) => flag === 1)) return undefined;
  const { kernel, row } = kernelRow(tape);
  const exact = exactOutput(problem);
  const pivots = new Set(tape.pivots);
  const largest = largestMagnitude(problem.v);
  let worst = 0;
  for (let i = 0; i < queries; i++) {
    if (tape.floored[i] === 1) continue;
    row(i);
    const normaliser = kernel.reduce((sum, value) => sum + value, 0);
    for (let c = 0; c < channels; c++) {
      let correction = 0;
      for (let j = 0; j < keys; j++) {
        if (pivots.has(i) || pivots.has(queries + j)) continue;
        let approximate = 0;
        for (let t = 0; t < rank; t++) approximate += factor[t * rows + i]! * factor[t * rows + queries + j]!;
        approximate *= Math.exp((points.squaredNorms[i]! + points.squaredNorms[queries + j]!) / 2);
        correction += (approximate - kernel[j]!) * (problem.v[j * channels + c]! - raw[i * channels + c]!);
      }
      const difference = raw[i * channels + c]! - exact[i * channels + c]!;
      worst = Math.max(worst, Math.abs(difference - correction / normaliser) / largest);
    }
  }
  return worst;
}

/** Row i of the exponential kernel between queries and keys, into `kernel`. */
function kernelRow(tape: Run["tape"]): { kernel: Float64Array; row: (i: number) => void } {
  const { queries, keys, width, rows } = tape.points;
  const kernel = new Float64Array(keys);
  const row = (i: number): void => {
    for (let j = 0; j < keys; j++) {
      let score = 0;
      for (let c = 0; c < width; c++) score += rows[i * width + c]! * rows[(queries + j) * width + c]!;
      kernel[j] = Math.exp(score);
    }
  };
  return { kernel, row };
}

/** How much further from exact attention the clamp moved any output; undefined when none was clamped. */
export function clampLoss(problem: Problem, { tape, output }: Run): number | undefined {
  if (tape.clamped.every((flag) => flag === 0)) return undefined;
  const exact = exactOutput(problem);
  let worst = -Infinity;
  for (let at = 0; at < exact.length; at++) {
    worst = Math.max(worst, Math.abs(output[at]! - exact[at]!) - Math.abs(tape.raw[at]! - exact[at]!));
  }
  return worst;
}

/** How far the outputs of a run lie outside the range of the values of their channel; not above 0 when none does. */
export function overshoot({ v, size }: Problem, { output }: Run): number {
  let worst = -Infinity;
  for (let c = 0; c < size.channels; c++) {
    let [least, largest] = [Infinity, -Infinity];
    for (let at = c; at < v.length; at += size.channels) {
      least = Math.min(least, v[at]!);
      largest = Math.max(largest, v[at]!);
    }
    for (let at = c; at < output.length; at += size.channels) {
      worst = Math.max(worst, output[at]! - largest, least - output[at]!);
    }
  }
  return worst;
}

/**
 * The relative error of the gradient of Σ w·ô along a random direction, pivots held, against
 * (8(L(+h) − L(−h)) − (L(+2h) − L(−2h))) / 12h. Rows under a floor that moves are left out, because the gradient holds
 * it constant. undefined when that leaves no row, and when an event (floor or clamp) comes or goes between the four
 * points, so that there is no gradient.
 */
export function gradientError(
  problem: Problem,
  settings: Settings,
  rng: Generator,
  parts: LayerParts = layerParts,
): number | undefined {
  const { queries, keys, width, channels } = problem.size;
  const centre = runProblem(problem, settings, { rng }, parts);
  const weights = rng
    .normals(queries * channels)
    .map((weight, at) => (movingFloor(centre.tape, Math.floor(at / channels)) ? 0 : weight));
  const held = { held: centre.tape.pivots };
  const [tq, tk, tv] = [queries * width, keys * width, keys * channels].map((count) => rng.normals(count));
  const events = (run: Run): string => `${run.tape.floored.join("")}${run.tape.clamped.join("")}`;
  let smooth = true;
  const loss = (h: number): number => {
    const shift = (x: Problem["q"], t: Float64Array): Float64Array =>
      Float64Array.from(x, (value, i) => value + h * t[i]!);
    const moved = {
      size: problem.size,
      q: shift(problem.q, tq!),
      k: shift(problem.k, tk!),
      v: shift(problem.v, tv!),
    };
    const run = runProblem(moved, settings, held, parts);
    smooth &&= events(run) === events(centre);
    return innerProduct(weights, run.output);
  };
  const h = 1e-4;
  const difference = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
  const grads = {
    dq: new Float64Array(tq!.length),
    dk: new Float64Array(tk!.length),
    dv: new Float64Array(tv!.length),
  };
  const scratch = backwardScratch({ size: problem.size, single: false, rank: settings.rank });
  parts.backwardProblem(centre.tape, centre.rank, problem.v, weights, scratch, grads);
  if (!smooth || weights.every((weight) => weight === 0)) return undefined;
  const gradient = innerProduct(grads.dq, tq!) + innerProduct(grads.dk, tk!) + innerProduct(grads.dv, tv!);
  return Math.abs(gradient - difference) / Math.max(1, Math.abs(difference));
}

/** Whether a normaliser was floored by the pivots' mass, which moves with q and k, and not by the number of keys. */
function movingFloor({ floored, points, normaliser }: Run["tape"], i: number): boolean {
  const { queries, keys, squaredNorms } = points;
  const shift = squaredNorms.subarray(queries).reduce((a, b) => Math.max(a, b), 0) / 2;
  const fixed = keys * Math.exp(-squaredNorms[i]! / 2 - shift);
  return floored[i] === 1 && Math.abs(normaliser[i]! - fixed) > 1e-9 * fixed;
}

function largestMagnitude(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}
