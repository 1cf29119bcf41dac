import { allocate, type Floats } from "../../dtype.js";
import type { GruForward, GruSizes, GruWeight } from "../kernels.js";
import { product } from "./product.js";
import { unary } from "./unary.js";

/** One product, of matrices that begin where their arrays do. */
const offsets = { offsetsA: new Int32Array(1), offsetsB: new Int32Array(1) };

/** The readable steps use the weight as it is. */
export function gruWeight(_hidden: number, weight: Floats): GruWeight {
  return { weight };
}

/**
 * For each step, with i = x·W_ihᵀ + b_ih and o = h·W_hhᵀ + b_hh cut into the parts of r, z and n:
 *
 *   r = σ(i_r + o_r), z = σ(i_z + o_z), n = tanh(i_n + r·o_n), h′ = n + z·(h − n),
 *
 * rounded operation by operation. The product is `Kernels.product`'s, σ and tanh are `Kernels.unary`'s.
 */
export function gruForward({ time, batch, hidden }: GruSizes, arrays: GruForward): void {
  const { weight, before, gates, inner, states } = arrays;
  const size = batch * hidden;
  const products = sameKind(states, 3 * size);
  const sums = sameKind(states, 2 * size);
  const values = sameKind(states, 2 * size);
  const layout = { m: batch, k: hidden, n: 3 * hidden, transposeA: false, transposeB: true, ...offsets };
  for (let t = 0; t < time; t++) {
    const h = before.subarray(t * size, (t + 1) * size);
    product(layout, h, weight.weight, products);
    const step: Step = {
      ...arrays,
      batch,
      hidden,
      products,
      sums,
      values,
      h,
      gates: gates.subarray(3 * t * size, 3 * (t + 1) * size),
      inner: inner.subarray(t * size, (t + 1) * size),
    };
    sigmoidGates(step);
    newGate(step);
    const next = before.subarray((t + 1) * size, (t + 2) * size);
    nextState(step, t * hidden, time * hidden, t + 1 < time ? next : undefined);
  }
}

/** The arrays of one step, all but `states` beginning with it. */
interface Step extends GruForward {
  readonly batch: number;
  readonly hidden: number;
  readonly products: Floats;
  readonly sums: Floats;
  readonly values: Floats;
  readonly h: Floats;
}

function sameKind(x: Floats, length: number): Floats {
  return allocate(x instanceof Float32Array ? "float32" : "float64", length);
}

/** x[at] + bias[j], or x[at] without biases. */
function biased(x: Floats, at: number, bias: Floats | undefined, j: number, single: boolean): number {
  if (!bias) return x[at]!;
  const y = x[at]! + bias[j]!;
  return single ? Math.fround(y) : y;
}

/** r and z, in place of their parts of x·W_ihᵀ. */
function sigmoidGates({ batch, hidden, gates, products, biasIh, biasHh, sums, values }: Step): void {
  const single = gates instanceof Float32Array;
  const width = 2 * hidden;
  for (let row = 0, at = 0; row < batch; row++, at += 3 * hidden) {
    for (let j = 0; j < width; j++) {
      const inward = biased(gates, at + j, biasIh, j, single);
      sums[row * width + j] = inward + biased(products, at + j, biasHh, j, single);
    }
  }
  unary("sigmoid", sums, values);
  for (let row = 0; row < batch; row++) {
    for (let j = 0; j < width; j++) gates[row * 3 * hidden + j] = values[row * width + j]!;
  }
}

/** n, in place of its part of x·W_ihᵀ. */
function newGate(step: Step): void {
  const { batch, hidden, gates, inner, products, biasIh, biasHh } = step;
  const single = gates instanceof Float32Array;
  const sums = step.sums.subarray(0, batch * hidden);
  const values = step.values.subarray(0, batch * hidden);
  for (let row = 0, i = 0; row < batch; row++) {
    const at = row * 3 * hidden;
    for (let j = 0; j < hidden; j++, i++) {
      const gate = 2 * hidden + j;
      inner[i] = biased(products, at + gate, biasHh, gate, single);
      const onward = gates[at + j]! * inner[i]!;
      sums[i] = biased(gates, at + gate, biasIh, gate, single) + (single ? Math.fround(onward) : onward);
    }
  }
  unary("tanh", sums, values);
  for (let row = 0; row < batch; row++) {
    for (let j = 0; j < hidden; j++) gates[(row * 3 + 2) * hidden + j] = values[row * hidden + j]!;
  }
}

/** h′, to the states, whose rows are `down` apart, and to where the next step reads it. */
function nextState(step: Step, start: number, down: number, next: Floats | undefined): void {
  const { batch, hidden, gates, h, states } = step;
  const single = gates instanceof Float32Array;
  for (let row = 0, i = 0; row < batch; row++) {
    for (let j = 0, at = 3 * row * hidden; j < hidden; j++, at++, i++) {
      const n = gates[at + 2 * hidden]!;
      const distance = single ? Math.fround(h[i]! - n) : h[i]! - n;
      const part = gates[at + hidden]! * distance;
      const to = start + row * down + j;
      states[to] = n + (single ? Math.fround(part) : part);
      if (next) next[i] = states[to]!;
    }
  }
}
