// @ts-check
/**
 * A gradient of a gradient: node examples/newton-rosenbrock.js
 *
 * Newton's method on Rosenbrock's valley f(x, y) = (1 − x)² + 100 (y − x²)², whose minimum is (1, 1). The Hessian is the gradient
 * of the gradient: grad can be nested. Gradient descent, which knows the slope but not how it bends, creeps along the valley.
 */
import { grad, tensor } from "gradstand";

/** @import { Tensor } from "gradstand" */

/** @param {Tensor} p `[2]` */
export function rosenbrock(p) {
  const [x, y] = p.split(2).map((part) => part.squeeze());
  return x
    .sub(1)
    .pow(2)
    .add(y.sub(x.pow(2)).pow(2).mul(100));
}

/**
 * Row i is the gradient of the i-th entry of the gradient: `[2, 2]`.
 *
 * @param {Tensor} p
 */
export function hessian(p) {
  const slope = grad(rosenbrock);
  return [0, 1].map((i) => [...grad((/** @type {Tensor} */ at) => slope(at).slice([i]))(p).values()]);
}

/**
 * p − H⁻¹ g, step by step.
 *
 * @param {readonly number[]} start
 * @param {number} steps
 */
export function newton(start, steps) {
  const path = [[...start]];
  for (let step = 0; step < steps; step++) {
    const p = tensor(path[step], { dtype: "float64" });
    const [gx, gy] = grad(rosenbrock)(p).values();
    const [[a, b], [c, d]] = hessian(p);
    const determinant = a * d - b * c;
    path.push([
      path[step][0] - (d * gx - b * gy) / determinant,
      path[step][1] - (a * gy - c * gx) / determinant,
    ]);
  }
  return path;
}

/**
 * p − rate · g, step by step; the last place.
 *
 * @param {readonly number[]} start
 * @param {number} steps
 * @param {number} rate
 */
export function descend(start, steps, rate) {
  let p = tensor([...start], { dtype: "float64" });
  for (let step = 0; step < steps; step++) p = p.sub(grad(rosenbrock)(p).mul(rate));
  return [...p.values()];
}

if (process.argv[1] === import.meta.filename) {
  const start = [-1.2, 1];
  newton(start, 6).forEach(([x, y], step) => {
    const value = rosenbrock(tensor([x, y], { dtype: "float64" })).item();
    console.log(`Newton step ${step}: (${x.toFixed(6)}, ${y.toFixed(6)})   f = ${value.toExponential(2)}`);
  });
  const [x, y] = descend(start, 1000, 0.001);
  console.log(`1000 steps of gradient descent: (${x.toFixed(4)}, ${y.toFixed(4)})`);
}
