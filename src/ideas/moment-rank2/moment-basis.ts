import { fail } from "../../errors/index.js";
import type { Generator } from "../../random/index.js";
import { orthonormalRows } from "../orthonormal-rows.js";

/** The weights of a separable weight function w(i, j) = w1(i)·w2(j): positive and finite. */
export interface SeparableWeight {
  /** `[rows]` */
  readonly rows: ArrayLike<number>;
  /** `[columns]` */
  readonly columns: ArrayLike<number>;
}

/**
 * A few linear functionals of a matrix, its moments, as orthonormal matrices E_k: the moments of H are ⟨E_k, S∘H⟩ =
 * Σ_ij E_k[i,j]·S[i,j]·H[i,j], where S scales the entries (all ones without a weight).
 */
export interface MomentBasis {
  readonly rows: number;
  readonly columns: number;
  /** The number of moments. */
  readonly count: number;
  /** What each moment is. */
  readonly names: readonly string[];
  /** E, `[count, rows·columns]`: orthonormal rows. */
  readonly elements: Float64Array;
  /** S = w1^−½ ⊗ w2^−½, `[rows·columns]`; undefined without a weight. */
  readonly scale: Float64Array | undefined;
}

/** A function of which less than this is left, relative to its length, depends on the earlier ones. */
const leastShare = 1e-6;

/** The shape of the grid, and its weight where there is one. */
export interface GridOptions {
  readonly rows: number;
  readonly columns: number;
  readonly weight?: SeparableWeight;
}

/** The shape of a grid of any number of modes, and the weights of each mode where there are any. */
export interface TensorGridOptions {
  /** The points of each mode: at least two modes of at least two points. */
  readonly shape: readonly number[];
  /** w1, w2, … of a separable weight w1 ⊗ w2 ⊗ …, positive and finite, one list for each mode. */
  readonly weights?: readonly ArrayLike<number>[];
}

/** A {@link MomentBasis} of tensors: `columns` is the last mode, and `rows` all the modes before it, as one. */
export interface TensorMomentBasis extends MomentBasis {
  readonly shape: readonly number[];
}

/**
 * Mass, both momenta and energy over a velocity grid: span{1, v1, v2, v1² + v2²}, with v1 along the rows and v2 along
 * the columns, centred and of one spacing, orthonormalised in this order. On a mode of two points v² is constant, so
 * on a 2×2 grid energy is a multiple of mass and is dropped.
 *
 * On 8×8, with p1 = (−7, −5, …, 7)/√168 and p2 = (7, 1, −3, −5, −5, −3, 1, 7)/√168: E1 = 1·1ᵀ/8, E2 = p1·1ᵀ/√8,
 * E3 = 1·p1ᵀ/√8, E4 = (p2·1ᵀ + 1·p2ᵀ)/4.
 *
 * With a weight, H is scaled by S = w1^−½ ⊗ w2^−½ and each function by w1^½ ⊗ w2^½, so that the moments are still
 * combinations of Σ H, Σ v1·H, Σ v2·H and Σ (v1² + v2²)·H.
 *
 * Source: W. Guo and J.-M. Qiu, "A conservative low rank tensor method for the Vlasov dynamics", arXiv 2201.10397.
 *
 * @throws E_VALUE for a side below 2, or a weight that is not positive and finite, not of the grid's length, or so uneven
 *   that the moments are not independent on what is left of the grid
 */
export function gridMoments({ rows, columns, weight }: GridOptions): MomentBasis {
  return tensorMoments({
    shape: [rows, columns],
    ...(weight && { weights: [weight.rows, weight.columns] }),
  });
}

/**
 * The moments of {@link gridMoments} for tensors of d modes: mass, a momentum for each mode, and energy, span{1, v1, …,
 * vd, v1² + … + vd²}, each a sum of separable functions, so that a moment tensor has rank 2 at most between any modes and
 * the others. Energy is dropped where every mode has two points.
 *
 * @throws E_VALUE as {@link gridMoments}, and for fewer than two modes
 */
export function tensorMoments({ shape, weights }: TensorGridOptions): TensorMomentBasis {
  checkShape(shape);
  const momenta = shape.map((_, mode) => `momentum ${mode + 1}`);
  const names = ["mass", ...momenta, ...(shape.some((points) => points > 2) ? ["energy"] : [])];
  const roots = rootsOf(shape, weights);
  const size = shape.reduce((product, points) => product * points, 1);
  const functions = new Float64Array(names.length * size);
  const scale = weights ? new Float64Array(size) : undefined;
  for (let at = 0; at < size; at++) {
    const indices = indicesOf(at, shape);
    const velocities = indices.map((index, mode) => 2 * index - (shape[mode]! - 1));
    const root = indices.reduce((product, index, mode) => product * roots[mode]![index]!, 1);
    const values = [1, ...velocities, velocities.reduce((sum, v) => sum + v * v, 0)];
    for (let k = 0; k < names.length; k++) functions[k * size + at] = root * values[k]!;
    if (scale) scale[at] = 1 / root;
  }
  if (!(orthonormalRows(functions, names.length, size) > leastShare)) {
    fail(
      "E_VALUE",
      `moments: the weights leave so few points of the ${shape.join("×")} grid that the ${names.length} moments are ` +
        "not independent; use weights of less different sizes",
    );
  }
  const columns = shape.at(-1)!;
  return { shape, rows: size / columns, columns, count: names.length, names, elements: functions, scale };
}

/** The index along each mode of the entry at `at`, the last mode running fastest. */
function indicesOf(at: number, shape: readonly number[]): number[] {
  const indices: number[] = [];
  for (let mode = shape.length - 1; mode >= 0; mode--) {
    indices.unshift(at % shape[mode]!);
    at = Math.floor(at / shape[mode]!);
  }
  return indices;
}

/**
 * `count` random orthonormal matrices in place of moments: the span of normal random matrices, uniformly distributed.
 * A control for the idea: it keeps as many numbers, but none that mean anything.
 *
 * @throws E_VALUE for a side below 2, or a count outside 1 … rows·columns
 */
export function randomMoments(
  rng: Generator,
  { rows, columns, count = 4 }: { readonly rows: number; readonly columns: number; readonly count?: number },
): MomentBasis {
  checkShape([rows, columns]);
  const size = rows * columns;
  if (!Number.isInteger(count) || count < 1 || count > size) {
    fail("E_VALUE", `random moments: expected a count from 1 to ${size}, got ${count}`);
  }
  const elements = rng.normals(count * size);
  orthonormalRows(elements, count, size);
  const names = Array.from({ length: count }, (_, k) => `random ${k + 1}`);
  return { rows, columns, count, names, elements, scale: undefined };
}

function checkShape(shape: readonly number[]): void {
  if (shape.length < 2 || shape.some((points) => !Number.isInteger(points) || points < 2)) {
    fail("E_VALUE", `moments: expected a grid of at least 2×2 points, got ${shape.join("×") || "no modes"}`);
  }
}

/** w^½ of each point of each mode; ones without weights. */
function rootsOf(
  shape: readonly number[],
  weights: readonly ArrayLike<number>[] | undefined,
): readonly Float64Array[] {
  if (weights && weights.length !== shape.length) {
    fail("E_VALUE", `moments: expected weights for each of ${shape.length} modes, got ${weights.length}`);
  }
  const names = shape.length === 2 ? ["rows", "columns"] : shape.map((_, mode) => `mode ${mode + 1}`);
  return shape.map((points, mode) => rootWeights(names[mode]!, weights?.[mode], points));
}

function rootWeights(name: string, weights: ArrayLike<number> | undefined, length: number): Float64Array {
  if (weights === undefined) return new Float64Array(length).fill(1);
  if (weights.length !== length) {
    fail("E_VALUE", `moments: expected ${length} weights of the ${name}, got ${weights.length}`);
  }
  return Float64Array.from(weights, (weight, i) => {
    if (!(weight > 0 && weight < Infinity)) {
      fail(
        "E_VALUE",
        `moments: weights must be positive and finite, got ${weight} as weight ${i} of the ${name}`,
      );
    }
    return Math.sqrt(weight);
  });
}
