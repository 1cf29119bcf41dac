import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { backwardProblem, backwardScratch } from "../kernel/backward.js";
import { mathCheck } from "./math-check.js";
import { exactAttention, pointsOf, randomProblem, runProblem, type Problem, type Run } from "./problem.js";
import { relativeError } from "./quality.js";
import type { Settings } from "../settings.js";

const size = { queries: 16, keys: 16, width: 8, channels: 8 };
const problems = 6;

function randomProblems(single: boolean, rng: Generator): readonly Problem[] {
  return Array.from({ length: problems }, (_, at) => randomProblem(size, single, 0.4 + 0.3 * at, rng));
}

/** The identities of the attention made of the elimination, on random q, k and v. */
export function attentionChecks(settings: Settings, rng: Generator): readonly MathCheck[] {
  const single = randomProblems(true, rng);
  const double = randomProblems(false, rng);
  const plain: Settings = { rank: settings.rank, pivots: "exp", ridge: 0 };
  const whole: Settings = { ...plain, rank: size.queries + size.keys };
  const half: Settings = { ...plain, rank: size.keys };
  const worst = (list: readonly Problem[], of: (problem: Problem) => number): number =>
    Math.max(...list.map(of));
  const pivotError = (problem: Problem): number => pivotColumnError(runProblem(problem, plain, { rng }));
  const fullError = (problem: Problem): number =>
    relativeError(runProblem(problem, whole, { rng }).output, exactOutput(problem));
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
      worst(double, (problem) => errorIdentityError(problem, runProblem(problem, half, { rng }))),
      1e-9,
    ),
    mathCheck(
      "clamp never moves away, float64",
      "|clamp(ô) − o| − |ô − o|, channel by channel",
      worst(double, (problem) => clampLoss(problem, runProblem(problem, plain, { rng }))),
      1e-12,
    ),
    mathCheck(
      "gradient, float64",
      "⟨∂L/∂(q, k, v), t⟩ against a fourth-order difference along t, pivots held, relative",
      worst(double, (problem) => gradientError(problem, { ...plain, ridge: settings.ridge }, rng)),
      1e-8,
    ),
  ];
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

/** The largest residue of the error identity over rows whose normaliser was not floored, of the largest |v|. */
export function errorIdentityError(problem: Problem, { tape, rank }: Run): number {
  const { points, factor, raw } = tape;
  const { queries, keys, channels } = problem.size;
  const rows = queries + keys;
  const { kernel, row } = kernelRow(tape);
  const exact = exactOutput(problem);
  const largest = largestMagnitude(problem.v);
  let worst = 0;
  for (let i = 0; i < queries; i++) {
    if (tape.floored[i] === 1) continue;
    row(i);
    const normaliser = kernel.reduce((sum, value) => sum + value, 0);
    for (let c = 0; c < channels; c++) {
      let correction = 0;
      for (let j = 0; j < keys; j++) {
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

/** How much further from exact attention the clamp moved any output. */
export function clampLoss(problem: Problem, { tape, output }: Run): number {
  const exact = exactOutput(problem);
  let worst = -Infinity;
  for (let at = 0; at < exact.length; at++) {
    worst = Math.max(worst, Math.abs(output[at]! - exact[at]!) - Math.abs(tape.raw[at]! - exact[at]!));
  }
  return worst;
}

/**
 * The relative error of the gradient of Σ w·ô along a random direction, pivots held, against
 * (8(L(+h) − L(−h)) − (L(+2h) − L(−2h))) / 12h. A problem in which an event (floor or clamp) comes or goes between
 * the four points has no gradient there and counts as 0; rows under a floor that moves are left out, because the
 * gradient holds it constant.
 */
export function gradientError(problem: Problem, settings: Settings, rng: Generator): number {
  const { queries, keys, width, channels } = problem.size;
  const centre = runProblem(problem, settings, { rng });
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
    const run = runProblem(moved, settings, held);
    smooth &&= events(run) === events(centre);
    return along(weights, run.output);
  };
  const h = 1e-4;
  const difference = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
  const grads = {
    dq: new Float64Array(tq!.length),
    dk: new Float64Array(tk!.length),
    dv: new Float64Array(tv!.length),
  };
  const scratch = backwardScratch({ size: problem.size, single: false, rank: settings.rank });
  backwardProblem(centre.tape, centre.rank, problem.v, weights, scratch, grads);
  const gradient = along(grads.dq, tq!) + along(grads.dk, tk!) + along(grads.dv, tv!);
  return smooth ? Math.abs(gradient - difference) / Math.max(1, Math.abs(difference)) : 0;
}

/** Whether a normaliser was floored by the pivots' mass, which moves with q and k, and not by the number of keys. */
function movingFloor({ floored, points, normaliser }: Run["tape"], i: number): boolean {
  const { queries, keys, squaredNorms } = points;
  const shift = squaredNorms.subarray(queries).reduce((a, b) => Math.max(a, b), 0) / 2;
  const fixed = keys * Math.exp(-squaredNorms[i]! / 2 - shift);
  return floored[i] === 1 && Math.abs(normaliser[i]! - fixed) > 1e-9 * fixed;
}

function along(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function largestMagnitude(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}
