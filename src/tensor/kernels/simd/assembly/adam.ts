// One step of Adam: g ← g + penalty·p; m ← m + rest1·(g − m); v ← β₂v + rest2·g²; p ← p·decay − size·m/(√v·rootScale + eps).
import { loadPart, storePart } from "./reduction/fold";

let rest1: v128 = f32x4.splat(0);
let beta2: v128 = f32x4.splat(0);
let rest2: v128 = f32x4.splat(0);
let eps: v128 = f32x4.splat(0);
let size: v128 = f32x4.splat(0);
let rootScale: v128 = f32x4.splat(0);
let decay: v128 = f32x4.splat(0);
let penalty: v128 = f32x4.splat(0);

/** Sets the constants of the steps that follow. */
export function prepare(
  firstRest: f32,
  secondKeep: f32,
  secondRest: f32,
  epsilon: f32,
  stepSize: f32,
  scale: f32,
  keep: f32,
  l2: f32,
): void {
  rest1 = f32x4.splat(firstRest);
  beta2 = f32x4.splat(secondKeep);
  rest2 = f32x4.splat(secondRest);
  eps = f32x4.splat(epsilon);
  size = f32x4.splat(stepSize);
  rootScale = f32x4.splat(scale);
  decay = f32x4.splat(keep);
  penalty = f32x4.splat(l2);
}

// @ts-ignore: decorator
@inline
function first(p: v128, gradient: v128, m: v128): v128 {
  const g = f32x4.add(gradient, f32x4.mul(penalty, p));
  return f32x4.add(m, f32x4.mul(rest1, f32x4.sub(g, m)));
}

// @ts-ignore: decorator
@inline
function second(p: v128, gradient: v128, v: v128): v128 {
  const g = f32x4.add(gradient, f32x4.mul(penalty, p));
  return f32x4.add(f32x4.mul(beta2, v), f32x4.mul(rest2, f32x4.mul(g, g)));
}

// @ts-ignore: decorator
@inline
function moved(p: v128, m: v128, v: v128): v128 {
  const denominator = f32x4.add(f32x4.mul(f32x4.sqrt(v), rootScale), eps);
  return f32x4.sub(f32x4.mul(p, decay), f32x4.div(f32x4.mul(size, m), denominator));
}

export function adam(p: usize, gradient: usize, m: usize, v: usize, n: i32): void {
  for (const end = p + (<usize>(n & ~3) << 2); p < end; p += 16) {
    const before = v128.load(p);
    const g = v128.load(gradient);
    const mean = first(before, g, v128.load(m));
    const square = second(before, g, v128.load(v));
    v128.store(m, mean);
    v128.store(v, square);
    v128.store(p, moved(before, mean, square));
    gradient += 16;
    m += 16;
    v += 16;
  }
  const rest = n & 3;
  if (!rest) return;
  const zero = f32x4.splat(0);
  const before = loadPart(p, rest, zero);
  const g = loadPart(gradient, rest, zero);
  const mean = first(before, g, loadPart(m, rest, zero));
  const square = second(before, g, loadPart(v, rest, zero));
  storePart(m, rest, mean);
  storePart(v, rest, square);
  storePart(p, rest, moved(before, mean, square));
}
