// Normalized rows with gain and bias, and their gradient.
import { centredFactor, slopes } from "./normalize";
import { over, PRODUCT, TIMES, TIMES_PLUS } from "./passes";

/** out = normal·weight + bias of each row. */
export function layerNorm(
  rows: i32,
  n: i32,
  eps: f32,
  x: usize,
  weight: usize,
  bias: usize,
  out: usize,
  normal: usize,
  scale: usize,
): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    const factor = centredFactor(x, normal, n, eps);
    store<f32>(scale, factor);
    over(TIMES, normal, normal, normal, factor, normal, n);
    over(TIMES_PLUS, normal, weight, bias, 0, out, n);
    x += step;
    out += step;
    normal += step;
    scale += 4;
  }
}

/** dx from g·weight, and weighted = g·normal; `scratch` has room for one row. */
export function layerNormBackward(
  rows: i32,
  n: i32,
  g: usize,
  normal: usize,
  scale: usize,
  weight: usize,
  dx: usize,
  weighted: usize,
  scratch: usize,
): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    over(PRODUCT, g, normal, g, 0, weighted, n);
    over(PRODUCT, g, weight, g, 0, scratch, n);
    slopes(normal, load<f32>(scale), scratch, dx, n);
    g += step;
    normal += step;
    dx += step;
    weighted += step;
    scale += 4;
  }
}
