import { defineOp, type Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import { formatShape, NDArray, reserve, type FloatDType, type Floats } from "../../../tensor/index.js";
import { oneOf } from "../../one-of.js";
import { checkFloating } from "../moment-projector.js";
import { mostPowers } from "../settings.js";
import type { PowerCounter } from "./power-counter.js";
import { applyFit, RowDerivative } from "./power-derivative.js";
import { fitPowers, keptMeans, leastSpread, type PowerFit } from "./power-fit.js";

/** What happens to a row whose means cannot all be restored. */
export const powerFallbacks = ["throw", "fewer"] as const;

/** Options of {@link restorePowers}. */
export interface PowerOptions {
  /** The means that are kept: of h, h², …, h^count; from 1 to 4. */
  readonly count: number;
  /**
   * `throw`, the default: E_NUMERIC. `fewer`: as many of the first means as can be had are kept, two at least, or only the
   * first where x has no spread, and the row is counted.
   */
  readonly fallback?: (typeof powerFallbacks)[number];
  readonly counter?: PowerCounter | undefined;
}

/** One call of the operation, and what its forward pass leaves for the gradient. */
export interface Call {
  readonly options: PowerOptions;
  fits: readonly PowerFit[];
}

/**
 * x with the power means of h: mean(c^k) = mean(h^k), k = 1 … count, in each row, and c the image of x under a polynomial of
 * degree count − 1, so that equal entries stay equal; see {@link fitPowers}. One and two means are kept in closed form, by a
 * shift and a rescaling; three and four by Newton steps. Fitted in float64, whatever the type; invariant to the order of the entries: a
 * permutation of x and h permutes c.
 *
 * The gradient is exact, that of the implicit function for the coefficients ({@link RowDerivative}); where σ_h = 0 that of
 * σ_h is 0, and a second derivative throws `E_SECOND_ORDER`.
 *
 * Shapes: x and h `[…, n]` → the same.
 *
 * @throws E_SHAPE for different shapes, E_DTYPE for types that are not floating or not the same, E_VALUE for a count outside
 *   1 … 4, E_NUMERIC where the means of a row cannot be had, without a fallback
 */
export function restorePowers(x: Tensor, h: Tensor, options: PowerOptions): Tensor {
  const { count, fallback = "throw" } = options;
  if (!Number.isInteger(count) || count < 1 || count > mostPowers) {
    fail(
      "E_VALUE",
      `power moments: the number of means must be a whole number from 1 to ${mostPowers}, not ${count}`,
    );
  }
  oneOf("power moments", "fallback", fallback, powerFallbacks);
  if (x.rank < 1 || formatShape(x.shape) !== formatShape(h.shape)) {
    fail(
      "E_SHAPE",
      `power moments: expected x and h of one shape, got ${formatShape(x.shape)} and ${formatShape(h.shape)}`,
    );
  }
  checkFloating(x.dtype);
  if (x.dtype !== h.dtype) {
    fail("E_DTYPE", `power moments: expected x and h of one type, got ${x.dtype} and ${h.dtype}`);
  }
  return restoreOp([x, h], { options: { ...options, fallback }, fits: [] });
}

/** {@link restorePowers} as an operation. */
export const restoreOp = defineOp<Call>({
  name: "restorePowers",
  flops: (_inputs, { size }, { options: { count } }) => size * powerFlops(count),
  forward: ([x, h], call) => {
    const { shape, dtype } = x!;
    const [data, target] = [x!.data as Floats, h!.data as Floats];
    const out = reserve(dtype as FloatDType, data.length);
    const length = shape.at(-1)!;
    const fits: PowerFit[] = [];
    for (let from = 0; from < data.length; from += length) {
      const fit = fitPowers(data, target, from, length, call.options.count);
      judge(fit, call.options, from / length);
      applyFit(fit, data, from, length, out);
      fits.push(fit);
    }
    call.fits = fits;
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes }) => {
    const both = pullOp([cotangent, ...inputs], attributes);
    return [both.slice([0]), both.slice([1])];
  },
});

/** Counts a fit, and throws where it keeps fewer means than asked for and may not. */
function judge(fit: PowerFit, { count, fallback, counter }: PowerOptions, row: number): void {
  const { sigmaX, sigmaH } = fit;
  const kept = keptMeans(fit, count);
  counter?.count(kept, count);
  if (kept === count || fallback === "fewer" || Number.isNaN(sigmaX + sigmaH)) return;
  const why =
    kept === 1
      ? `the entries to be changed have a standard deviation of ${sigmaX}, less than ${leastSpread} of the ${sigmaH} wanted`
      : `Newton's method found no polynomial of degree ${count - 1} with these means`;
  fail(
    "E_NUMERIC",
    `power moments: the first ${count} means of row ${row} cannot be kept: ${why}; ask for fewer, or allow the fallback "fewer"`,
  );
}

/** The cotangents of x and h, `[2, …]`, for that of c. */
const pullOp: (inputs: readonly Tensor[], call: Call) => Tensor = defineOp<Call>({
  name: "restorePowersGradient",
  forward: ([g, x, h], { fits }) => {
    const { shape, dtype, data } = g!;
    const out = reserve(dtype as FloatDType, 2 * data.length);
    const rows = rowsOf(fits, x!, h!);
    rows.forEach((row, at) => {
      const [gx, gh] = row.pull(part(data as Floats, at, shape));
      out.set(gx, at * gx.length);
      out.set(gh, data.length + at * gh.length);
    });
    return new NDArray([2, ...shape], dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes, needs }) => {
    refuseSecondOrder(needs);
    return [pushOp([cotangent, ...inputs.slice(1)], attributes), undefined, undefined];
  },
});

/** dc for dx and dh, given as `[2, …]`: the adjoint of {@link pullOp} in the cotangent. */
const pushOp: (inputs: readonly Tensor[], call: Call) => Tensor = defineOp<Call>({
  name: "restorePowersTangent",
  forward: ([v, x, h], { fits }) => {
    const { shape, dtype } = x!;
    const data = v!.data as Floats;
    const half = data.length / 2;
    const out = reserve(dtype as FloatDType, half);
    rowsOf(fits, x!, h!).forEach((row, at) => {
      const dc = row.push(part(data.subarray(0, half), at, shape), part(data.subarray(half), at, shape));
      out.set(dc, at * dc.length);
    });
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes, needs }) => {
    refuseSecondOrder(needs);
    return [pullOp([cotangent, ...inputs.slice(1)], attributes), undefined, undefined];
  },
});

function refuseSecondOrder(needs: readonly boolean[]): void {
  if (needs[1] || needs[2]) {
    fail(
      "E_SECOND_ORDER",
      "power moments: the gradient cannot be differentiated in x and h, because it takes the coefficients of the " +
        "polynomial as they are; take first derivatives only",
    );
  }
}

function rowsOf(fits: readonly PowerFit[], x: NDArray, h: NDArray): readonly RowDerivative[] {
  const length = x.shape.at(-1)!;
  return fits.map(
    (fit, at) => new RowDerivative(fit, x.data as Floats, h.data as Floats, at * length, length),
  );
}

function part(x: Floats, row: number, shape: readonly number[]): Float64Array {
  const length = shape.at(-1)!;
  return Float64Array.from(x.subarray(row * length, (row + 1) * length));
}

/** Four Newton steps that a fit takes in most cases. */
const usualSteps = 4;

/**
 * Floating-point operations for each entry: means and deviations, the standardised entries and the image, and for three or four
 * means the polynomial, the powers and the Jacobian of {@link usualSteps} steps.
 */
function powerFlops(count: number): number {
  return count < 3 ? 10 : 16 + usualSteps * (6 * count + 2 * count * count);
}
