import type { Floats } from "../../dtype.js";
import {
  geluSlope32,
  geluSlope64,
  geluTanhSlope32,
  geluTanhSlope64,
  sigmoid32,
  sigmoid64,
} from "../../math/index.js";
import type { UnaryBackwardOp } from "../kernels.js";

/** g·slope, but 0 wherever g is 0: an infinite or undefined slope through which nothing flows back stays out. */
function scaled(g: number, slope: number): number {
  return g === 0 ? 0 : g * slope;
}

/**
 * The gradient of a function of one number from the cotangent g, see `Kernels.unaryBackward`; rounded after every operation, so
 * that the bits are those of the same rule composed of operations.
 */
export function unaryBackward(op: UnaryBackwardOp, g: Floats, of: Floats, out: Floats): void {
  const n = out.length;
  const single = out instanceof Float32Array;
  const f = Math.fround;
  switch (op) {
    case "tanh":
      if (single) for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, f(1 - f(of[i]! * of[i]!)));
      else for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, 1 - of[i]! * of[i]!);
      return;
    case "sigmoid":
      if (single) for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, f(of[i]! * f(1 - of[i]!)));
      else for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, of[i]! * (1 - of[i]!));
      return;
    case "relu":
      for (let i = 0; i < n; i++) out[i] = of[i]! <= 0 ? 0 : g[i]!;
      return;
    case "softplus":
      if (single) for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, sigmoid32(of[i]!));
      else for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, sigmoid64(of[i]!));
      return;
    case "gelu":
      if (single) for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, geluSlope32(of[i]!));
      else for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, geluSlope64(of[i]!));
      return;
    case "geluTanh":
      if (single) for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, geluTanhSlope32(of[i]!));
      else for (let i = 0; i < n; i++) out[i] = scaled(g[i]!, geluTanhSlope64(of[i]!));
      return;
  }
}
