import type { Floats } from "../../dtype.js";
import type { AdamStep } from "../kernels.js";

/**
 * One step of Adam (Kingma & Ba, arXiv 1412.6980) or AdamW (arXiv 1711.05101) on a flat parameter, in place:
 * g ← g + penalty·p;  m ← m + (1−β₁)(g − m);  v ← β₂v + (1−β₂)g²;  p ← p·decay − size·m/(√v·rootScale + eps).
 */
export function adam(step: AdamStep, parameter: Floats, gradient: Floats, m: Floats, v: Floats): void {
  if (parameter instanceof Float32Array) adam32(step, parameter, gradient, m, v);
  else adam64(step, parameter, gradient, m, v);
}

function adam32(step: AdamStep, p: Floats, gradient: Floats, m: Floats, v: Floats): void {
  const f = Math.fround;
  const rest1 = f(1 - step.beta1);
  const beta2 = f(step.beta2);
  const rest2 = f(1 - step.beta2);
  const eps = f(step.eps);
  const size = f(step.size);
  const rootScale = f(step.rootScale);
  const decay = f(step.decay);
  const penalty = f(step.penalty);
  for (let i = 0; i < p.length; i++) {
    const g = f(gradient[i]! + f(penalty * p[i]!));
    const first = f(m[i]! + f(rest1 * f(g - m[i]!)));
    const second = f(f(beta2 * v[i]!) + f(rest2 * f(g * g)));
    m[i] = first;
    v[i] = second;
    const denominator = f(f(f(Math.sqrt(second)) * rootScale) + eps);
    p[i] = f(p[i]! * decay) - f(f(size * first) / denominator);
  }
}

function adam64(step: AdamStep, p: Floats, gradient: Floats, m: Floats, v: Floats): void {
  const { beta1, beta2, eps, size, rootScale, decay, penalty } = step;
  for (let i = 0; i < p.length; i++) {
    const g = gradient[i]! + penalty * p[i]!;
    m[i] = m[i]! + (1 - beta1) * (g - m[i]!);
    v[i] = beta2 * v[i]! + (1 - beta2) * g * g;
    p[i] = p[i]! * decay - (size * m[i]!) / (Math.sqrt(v[i]!) * rootScale + eps);
  }
}
