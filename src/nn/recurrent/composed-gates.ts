import { concat, type Tensor } from "../../autograd/index.js";

/** The tensors of one GRU step: x·W_ihᵀ and h·W_hhᵀ `[batch, 3·hidden]` in the order r, z, n, h `[batch, hidden]`, biases `[3·hidden]`. */
export interface GateTensors {
  readonly gi: Tensor;
  readonly gh: Tensor;
  readonly h: Tensor;
  readonly bi?: Tensor | undefined;
  readonly bh?: Tensor | undefined;
}

/** Cotangents of x·W_ihᵀ, of h·W_hhᵀ, and of h but for its part in the latter. */
export interface GateCotangents {
  readonly gi: Tensor;
  readonly gh: Tensor;
  readonly h: Tensor;
}

/** The gates r and z, the candidate n, and what r multiplies in it, each `[batch, hidden]`; h as it was given. */
export interface GateValues {
  readonly r: Tensor;
  readonly z: Tensor;
  readonly n: Tensor;
  readonly inner: Tensor;
  readonly h: Tensor;
}

/** The gates of one GRU step. */
export function gateValues({ gi, gh, h, bi, bh }: GateTensors): GateValues {
  const [ir, iz, inward] = (bi ? gi.add(bi) : gi).split(3, 1) as [Tensor, Tensor, Tensor];
  const [hr, hz, inner] = (bh ? gh.add(bh) : gh).split(3, 1) as [Tensor, Tensor, Tensor];
  const r = ir.add(hr).sigmoid();
  return { r, z: iz.add(hz).sigmoid(), n: inward.add(r.mul(inner)).tanh(), inner, h };
}

/** One GRU step in elementary operations. */
export function composedGates(tensors: GateTensors): Tensor {
  const { z, n, h } = gateValues(tensors);
  return n.add(z.mul(h.sub(n)));
}

/** The way back through one step in elementary operations, so that it can be differentiated again. */
export function composedGateCotangents(g: Tensor, tensors: GateTensors): GateCotangents {
  const { r, z, n, inner, h } = gateValues(tensors);
  const rest = (gate: Tensor): Tensor => gate.neg().add(1);
  const dn = g.mul(rest(z)).mul(rest(n.square()));
  const dz = g.mul(h.sub(n)).mul(z).mul(rest(z));
  const dr = dn.mul(inner).mul(r).mul(rest(r));
  return { gi: concat([dr, dz, dn], 1), gh: concat([dr, dz, dn.mul(r)], 1), h: g.mul(z) };
}
