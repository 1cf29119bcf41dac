import { concat, type Tensor } from "../../autograd/index.js";

/** The tensors of one GRU step: x·W_ihᵀ and h·W_hhᵀ `[batch, 3·hidden]` in the order r, z, n, h `[batch, hidden]`, biases `[3·hidden]`. */
export interface GateTensors {
  readonly gi: Tensor;
  readonly gh: Tensor;
  readonly h: Tensor;
  readonly bi?: Tensor | undefined;
  readonly bh?: Tensor | undefined;
}

function gateValues({ gi, gh, h, bi, bh }: GateTensors): {
  r: Tensor;
  z: Tensor;
  n: Tensor;
  inner: Tensor;
  h: Tensor;
} {
  const [ir, iz, inward] = (bi ? gi.add(bi) : gi).split(3, 1) as [Tensor, Tensor, Tensor];
  const [hr, hz, inner] = (bh ? gh.add(bh) : gh).split(3, 1) as [Tensor, Tensor, Tensor];
  const r = ir.add(hr).sigmoid();
  return { r, z: iz.add(hz).sigmoid(), n: inward.add(r.mul(inner)).tanh(), inner, h };
}

/** One GRU step in elementary operations: the twin of the fused step. */
export function composedGates(tensors: GateTensors): Tensor {
  const { z, n, h } = gateValues(tensors);
  return n.add(z.mul(h.sub(n)));
}

/** The cotangents of gi, gh and h in elementary operations, so that they can be differentiated again. */
export function composedGateCotangents(
  g: Tensor,
  tensors: GateTensors,
): { gi: Tensor; gh: Tensor; h: Tensor } {
  const { r, z, n, inner, h } = gateValues(tensors);
  const rest = (gate: Tensor): Tensor => gate.neg().add(1);
  const dn = g.mul(rest(z)).mul(rest(n.square()));
  const dz = g.mul(h.sub(n)).mul(z).mul(rest(z));
  const dr = dn.mul(inner).mul(r).mul(rest(r));
  return { gi: concat([dr, dz, dn], 1), gh: concat([dr, dz, dn.mul(r)], 1), h: g.mul(z) };
}
