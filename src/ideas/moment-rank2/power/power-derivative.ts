import type { Floats } from "../../../tensor/index.js";
import { polynomial, powerJacobian, standardised, type PowerFit } from "./power-fit.js";
import { solveSmall } from "./solve-small.js";

/** c of one row, see {@link PowerFit}, into `out`. */
export function applyFit(fit: PowerFit, x: Floats, from: number, length: number, out: Floats): void {
  const { meanX, meanH, sigmaX, sigmaH, a } = fit;
  if (a.length === 1) {
    for (let i = from; i < from + length; i++) out[i] = x[i]! - meanX + meanH;
    return;
  }
  const { q } = polynomial(a, standardised(x, from, length, meanX, sigmaX));
  for (let i = 0; i < length; i++) out[from + i] = meanH + sigmaH * q[i]!;
}

/**
 * The derivative of c at one row, as two linear maps that are each other's adjoint. With z, w standardised, D(y) =
 * y − mean(y) − z·mean(y z) for x and the same with w for h, and J = ∂ mean(q^k)/∂a,
 *
 *   dz = D(dx)/σ_x     dw = D(dh)/σ_h     dσ_h = mean(w dh)
 *   J da = [mean(k w^(k−1) dw)]_{k>2} − [mean(k q^(k−1) q'(z) dz)]_k        (the means of q stay what they are wanted to be)
 *   dc = mean(dh) + q dσ_h + σ_h (q'(z) dz + Σ_j z^j da_j).
 *
 * The first two means of q are constant. Where two means are kept da = 0, and where one is, dc = dx − mean(dx) + mean(dh).
 * Where σ_h = 0, dσ_h and dw are 0.
 */
export class RowDerivative {
  readonly #z: Float64Array;
  readonly #w: Float64Array;
  readonly #q: Float64Array;
  readonly #slope: Float64Array;
  readonly #n: number;

  constructor(
    readonly fit: PowerFit,
    x: Floats,
    h: Floats,
    from: number,
    length: number,
  ) {
    const { meanX, meanH, sigmaX, sigmaH, a } = fit;
    const still = new Float64Array(length);
    this.#n = length;
    this.#z = a.length === 1 ? still : standardised(x, from, length, meanX, sigmaX);
    this.#w = sigmaH === 0 ? still : standardised(h, from, length, meanH, sigmaH);
    const { q, slope } = polynomial(a, this.#z);
    this.#q = q;
    this.#slope = slope;
  }

  /** dc for dx and dh, rows of the length of c. */
  push(dx: Float64Array, dh: Float64Array): Float64Array {
    const { sigmaX, sigmaH, a } = this.fit;
    const meanOfH = mean(dh);
    if (a.length === 1) {
      const shift = meanOfH - mean(dx);
      return dx.map((each) => each + shift);
    }
    const dz = deflated(dx, this.#z).map((each) => each / sigmaX);
    const growth = inner(this.#w, dh) / this.#n;
    const da = this.#pushCoefficients(dz, dh);
    return dz.map((each, i) => {
      const moved = this.#slope[i]! * each + polynomialAt(da, this.#z[i]!);
      return meanOfH + this.#q[i]! * growth + sigmaH * moved;
    });
  }

  /** The cotangents of x and h for that of c. */
  pull(g: Float64Array): readonly [x: Float64Array, h: Float64Array] {
    const { sigmaX, sigmaH, a } = this.fit;
    const level = mean(g);
    if (a.length === 1) return [g.map((each) => each - level), g.map(() => level)];
    const growth = inner(this.#q, g) / this.#n;
    const gz = g.map((each, i) => sigmaH * this.#slope[i]! * each);
    const gh = this.#w.map((w) => level + growth * w);
    this.#pullCoefficients(g, gz, gh);
    return [deflated(gz, this.#z).map((each) => each / sigmaX), gh];
  }

  /** da for dz and dh. */
  #pushCoefficients(dz: Float64Array, dh: Float64Array): Float64Array {
    const { sigmaH, a } = this.fit;
    const count = a.length;
    const da = new Float64Array(count);
    if (a.length < 3) return da;
    const dw = deflated(dh, this.#w);
    for (let i = 0; i < this.#n; i++) {
      for (let k = 0; k < count; k++) {
        da[k]! -= ((k + 1) * this.#q[i]! ** k * this.#slope[i]! * dz[i]!) / this.#n;
        if (k > 1) da[k]! += ((k + 1) * this.#w[i]! ** k * dw[i]!) / (sigmaH * this.#n);
      }
    }
    this.#solve(powerJacobian(this.#q, this.#z, count), da);
    return da;
  }

  /** The adjoint: what the cotangents of the coefficients add to those of z and h. */
  #pullCoefficients(g: Float64Array, gz: Float64Array, gh: Float64Array): void {
    const { sigmaH, a } = this.fit;
    if (a.length < 3) return;
    const count = a.length;
    const y = new Float64Array(count);
    for (let i = 0; i < this.#n; i++) {
      let term = sigmaH * g[i]!;
      for (let j = 0; j < count; j++) {
        y[j]! += term;
        term *= this.#z[i]!;
      }
    }
    const jacobian = powerJacobian(this.#q, this.#z, count);
    const transposed = jacobian.map((_, at) => jacobian[(at % count) * count + Math.floor(at / count)]!);
    this.#solve(transposed, y);
    const gw = new Float64Array(this.#n);
    for (let i = 0; i < this.#n; i++) {
      for (let k = 0; k < count; k++) {
        gz[i]! -= (y[k]! * (k + 1) * this.#q[i]! ** k * this.#slope[i]!) / this.#n;
        if (k > 1) gw[i]! += (y[k]! * (k + 1) * this.#w[i]! ** k) / (sigmaH * this.#n);
      }
    }
    deflated(gw, this.#w).forEach((each, i) => (gh[i]! += each));
  }

  /** The Jacobian was regular at the last Newton step; where it is no more, nothing is to be said of the coefficients. */
  #solve(jacobian: Float64Array, y: Float64Array): void {
    if (!solveSmall(jacobian, y, y.length)) y.fill(0);
  }
}

/** D(y) = y − mean(y) − z·mean(y z). */
function deflated(y: Float64Array, z: Float64Array): Float64Array {
  const level = mean(y);
  const along = inner(y, z) / y.length;
  return y.map((each, i) => each - level - along * z[i]!);
}

function polynomialAt(a: Float64Array, z: number): number {
  return a.reduceRight((value, each) => value * z + each, 0);
}

function mean(x: Float64Array): number {
  return x.reduce((sum, each) => sum + each, 0) / x.length;
}

function inner(x: Float64Array, y: Float64Array): number {
  return x.reduce((sum, each, i) => sum + each * y[i]!, 0);
}
