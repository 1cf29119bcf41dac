// @ts-check
/**
 * A first gradient: node examples/first-gradient.js
 *
 * The slope of f(x) = x³ − 2x three ways: by hand, by a difference, and by the library, which remembers the operations of f and
 * walks them backwards. x is used twice in f, so two contributions meet in its gradient: they are added.
 */
import { grad, tensor } from "gradstand";

/** @import { Tensor } from "gradstand" */

/** @param {Tensor} x */
export const f = (x) => x.pow(3).sub(x.mul(2)).sum();

/** f′(x) = 3x² − 2. @param {number} x */
export const slopeByHand = (x) => 3 * x ** 2 - 2;

/**
 * (f(x + h) − f(x − h)) / 2h: near the slope for small h, but too small an h leaves nothing but rounding.
 *
 * @param {number} x
 * @param {number} h
 */
export function slopeByDifference(x, h) {
  /** @param {number} at */
  const value = (at) => f(tensor(at, { dtype: "float64" })).item();
  return (value(x + h) - value(x - h)) / (2 * h);
}

/** @param {number} x */
export const slope = (x) => grad(f)(tensor(x, { dtype: "float64" })).item();

if (process.argv[1] === import.meta.filename) {
  console.log("     x      by hand    by difference   gradient");
  for (const x of [-1, 0, 0.5, 2]) {
    const cells = [slopeByHand(x), slopeByDifference(x, 1e-4), slope(x)].map((n) =>
      n.toFixed(8).padStart(13),
    );
    console.log(`${x.toFixed(2).padStart(6)} ${cells.join(" ")}`);
  }
  console.log("\nHow the error of the difference at x = 2 depends on its step h:");
  for (let k = 1; k <= 13; k += 2) {
    const error = Math.abs(slopeByDifference(2, 10 ** -k) - slopeByHand(2));
    console.log(`  h = 1e-${String(k).padStart(2, "0")}   error ${error.toExponential(1)}`);
  }
  const points = tensor([-1, 0, 0.5, 2], { requiresGrad: true });
  f(points).backward();
  console.log(`\nAll four at once, as in PyTorch: ${String(points.grad)}`);
}
