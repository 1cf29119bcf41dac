import type { Floats } from "../../dtype.js";
import {
  cos32,
  erf32,
  erf64,
  exp32,
  expm132,
  gelu32,
  gelu64,
  geluSlope32,
  geluSlope64,
  geluTanh32,
  geluTanh64,
  geluTanhSlope32,
  geluTanhSlope64,
  log1p32,
  log32,
  sigmoid32,
  sigmoid64,
  sin32,
  softplus32,
  softplus64,
  tanh32,
} from "../../math/index.js";
import type { UnaryOp } from "../kernels.js";

/**
 * out[i] = op(x[i]); the sign of −0 is 0. One loop an operation, so that the engine compiles each on its own; float32 takes this
 * package's polynomials, float64 the platform's functions.
 */
export function unary(op: UnaryOp, x: Floats, out: Floats): void {
  const n = x.length;
  const single = out instanceof Float32Array;
  switch (op) {
    case "neg":
      for (let i = 0; i < n; i++) out[i] = -x[i]!;
      return;
    case "abs":
      for (let i = 0; i < n; i++) out[i] = Math.abs(x[i]!);
      return;
    case "sign":
      for (let i = 0; i < n; i++) out[i] = Math.sign(x[i]!) + 0;
      return;
    case "sqrt":
      for (let i = 0; i < n; i++) out[i] = Math.sqrt(x[i]!);
      return;
    case "square":
      for (let i = 0; i < n; i++) out[i] = x[i]! * x[i]!;
      return;
    case "reciprocal":
      for (let i = 0; i < n; i++) out[i] = 1 / x[i]!;
      return;
    case "relu":
      for (let i = 0; i < n; i++) out[i] = x[i]! < 0 ? 0 : x[i]!;
      return;
    case "exp":
      if (single) for (let i = 0; i < n; i++) out[i] = exp32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.exp(x[i]!);
      return;
    case "log":
      if (single) for (let i = 0; i < n; i++) out[i] = log32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.log(x[i]!);
      return;
    case "log1p":
      if (single) for (let i = 0; i < n; i++) out[i] = log1p32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.log1p(x[i]!);
      return;
    case "expm1":
      if (single) for (let i = 0; i < n; i++) out[i] = expm132(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.expm1(x[i]!);
      return;
    case "sin":
      if (single) for (let i = 0; i < n; i++) out[i] = sin32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.sin(x[i]!);
      return;
    case "cos":
      if (single) for (let i = 0; i < n; i++) out[i] = cos32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.cos(x[i]!);
      return;
    case "tanh":
      if (single) for (let i = 0; i < n; i++) out[i] = tanh32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = Math.tanh(x[i]!);
      return;
    case "sigmoid":
      if (single) for (let i = 0; i < n; i++) out[i] = sigmoid32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = sigmoid64(x[i]!);
      return;
    case "softplus":
      if (single) for (let i = 0; i < n; i++) out[i] = softplus32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = softplus64(x[i]!);
      return;
    case "erf":
      if (single) for (let i = 0; i < n; i++) out[i] = erf32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = erf64(x[i]!);
      return;
    case "gelu":
      if (single) for (let i = 0; i < n; i++) out[i] = gelu32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = gelu64(x[i]!);
      return;
    case "geluTanh":
      if (single) for (let i = 0; i < n; i++) out[i] = geluTanh32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = geluTanh64(x[i]!);
      return;
    case "geluSlope":
      if (single) for (let i = 0; i < n; i++) out[i] = geluSlope32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = geluSlope64(x[i]!);
      return;
    case "geluTanhSlope":
      if (single) for (let i = 0; i < n; i++) out[i] = geluTanhSlope32(x[i]!);
      else for (let i = 0; i < n; i++) out[i] = geluTanhSlope64(x[i]!);
      return;
  }
}
