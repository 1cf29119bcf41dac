import { allocate, kernels, type FloatDType, type Floats } from "../../tensor/index.js";

/** What one step of a GRU with `batch` rows and `hidden` units works on; `gi` and `gh` are `[batch, 3·hidden]` in the order r, z, n. */
export interface GateInputs {
  readonly batch: number;
  readonly hidden: number;
  readonly dtype: FloatDType;
  /** x·W_ihᵀ */
  readonly gi: Floats;
  /** h·W_hhᵀ */
  readonly gh: Floats;
  readonly h: Floats;
  /** b_ih and b_hh `[3·hidden]`, where there are biases. */
  readonly bi: Floats | undefined;
  readonly bh: Floats | undefined;
}

/** What the backward pass needs of the forward pass, `[batch, hidden]` each; `inner` is the hidden part of n before the reset gate. */
export interface GateTape {
  readonly r: Floats;
  readonly z: Floats;
  readonly n: Floats;
  readonly inner: Floats;
}

/** out[row, j] = (gi + bi) of one gate, for all rows. */
function gatePart(
  x: Floats,
  bias: Floats | undefined,
  batch: number,
  hidden: number,
  gate: number,
  out: Floats,
): void {
  const shift = gate * hidden;
  for (let row = 0, to = 0; row < batch; row++) {
    const from = row * 3 * hidden + shift;
    if (bias) for (let j = 0; j < hidden; j++, to++) out[to] = x[from + j]! + bias[shift + j]!;
    else for (let j = 0; j < hidden; j++, to++) out[to] = x[from + j]!;
  }
}

/**
 * One step: r = σ(gi_r + gh_r), z = σ(gi_z + gh_z), n = tanh(gi_n + r·gh_n), h′ = n + z·(h − n), biases added to gi and gh
 * first. Rounded operation by operation, as the composed form is.
 */
export function gatesForward(inputs: GateInputs): { out: Floats; tape: GateTape } {
  const { batch, hidden, dtype, gi, gh, h, bi, bh } = inputs;
  const size = batch * hidden;
  const scratch = allocate(dtype, size);
  const other = allocate(dtype, size);
  const inner = allocate(dtype, size);
  const sigmoidGate = (gate: number): Floats => {
    gatePart(gi, bi, batch, hidden, gate, scratch);
    gatePart(gh, bh, batch, hidden, gate, other);
    addInto(scratch, other);
    const out = allocate(dtype, size);
    kernels().unary("sigmoid", scratch, out);
    return out;
  };
  const r = sigmoidGate(0);
  const z = sigmoidGate(1);
  const n = allocate(dtype, size);
  gatePart(gi, bi, batch, hidden, 2, scratch);
  gatePart(gh, bh, batch, hidden, 2, inner);
  for (let i = 0; i < size; i++) other[i] = r[i]! * inner[i]!;
  addInto(scratch, other);
  kernels().unary("tanh", scratch, n);
  const out = allocate(dtype, size);
  for (let i = 0; i < size; i++) scratch[i] = h[i]! - n[i]!;
  for (let i = 0; i < size; i++) scratch[i] = z[i]! * scratch[i]!;
  for (let i = 0; i < size; i++) out[i] = n[i]! + scratch[i]!;
  return { out, tape: { r, z, n, inner } };
}

function addInto(sum: Floats, x: Floats): void {
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + x[i]!;
}

/**
 * The cotangents of gi, gh and h from that of h′ (the biases receive those of gi and gh summed over the batch):
 * δn = g·(1 − z)·(1 − n²), δz = g·(h − n)·z·(1 − z), δr = δn·inner·r·(1 − r).
 */
export function gatesBackward(
  batch: number,
  hidden: number,
  dtype: FloatDType,
  g: Floats,
  h: Floats,
  { r, z, n, inner }: GateTape,
): { gi: Floats; gh: Floats; h: Floats } {
  const gi = allocate(dtype, 3 * batch * hidden);
  const gh = allocate(dtype, 3 * batch * hidden);
  const back = allocate(dtype, batch * hidden);
  for (let row = 0, at = 0; row < batch; row++) {
    for (let j = 0, to = row * 3 * hidden; j < hidden; j++, to++, at++) {
      const dn = g[at]! * (1 - z[at]!) * (1 - n[at]! * n[at]!);
      const dz = g[at]! * (h[at]! - n[at]!) * z[at]! * (1 - z[at]!);
      const dr = dn * inner[at]! * r[at]! * (1 - r[at]!);
      gi[to] = gh[to] = dr;
      gi[to + hidden] = gh[to + hidden] = dz;
      gi[to + 2 * hidden] = dn;
      gh[to + 2 * hidden] = dn * r[at]!;
      back[at] = g[at]! * z[at]!;
    }
  }
  return { gi, gh, h: back };
}
