// (x − mean)/√(var + eps) of rows, and its gradient.
import { dotOf, sumOf } from "../reduction/fold";
import { foldedMinus, SQUARES, VALUES } from "./folded-minus";
import { BACK, over, TIMES } from "./passes";

/** a/n, rounded once: n need not be a float32 number. */
// @ts-ignore: decorator
@inline
function share(a: f32, n: i32): f32 {
  return <f32>(<f64>a / <f64>n);
}

/** The row in `out`, centred: relative to its first entry, then the mean taken off twice. Returns 1/√(var + eps). */
export function centredFactor(x: usize, out: usize, n: i32, eps: f32): f32 {
  const first = foldedMinus(VALUES, x, load<f32>(x), out, n);
  const second = foldedMinus(VALUES, out, share(first, n), out, n);
  const squares = foldedMinus(SQUARES, out, share(second, n), out, n);
  return 1 / Mathf.sqrt(share(squares, n) + eps);
}

/** Rows of n; `scale` receives 1/√(var + eps) of each. */
export function normalizeRows(rows: i32, n: i32, eps: f32, x: usize, out: usize, scale: usize): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    const factor = centredFactor(x, out, n, eps);
    store<f32>(scale, factor);
    over(TIMES, out, out, out, factor, out, n);
    x += step;
    out += step;
    scale += 4;
  }
}

/** out = factor·((g − mean g) − y·mean(g·y)) of one row. */
export function slopes(y: usize, factor: f32, g: usize, out: usize, n: i32): void {
  const mean = share(sumOf(g, n), n);
  const slope = share(dotOf(g, y, n), n);
  over(BACK, g, y, out, factor, out, n, mean, slope);
}

/** {@link slopes} of rows, each with its factor. */
export function normalizeRowsBackward(rows: i32, n: i32, y: usize, scale: usize, g: usize, out: usize): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    slopes(y, load<f32>(scale), g, out, n);
    y += step;
    g += step;
    out += step;
    scale += 4;
  }
}
