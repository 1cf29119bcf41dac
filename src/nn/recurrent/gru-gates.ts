import { defineOp, isRecording, Tensor } from "../../autograd/index.js";
import { NDArray, type FloatDType, type Floats } from "../../tensor/index.js";
import { composedGateCotangents, type GateTensors } from "./composed-gates.js";
import { gatesBackward, gatesForward, type GateTape } from "./gate-kernel.js";

/** Filled by the forward pass for the backward pass. */
interface Attributes {
  tape: GateTape | undefined;
}

const gates = defineOp<Attributes>({
  name: "gruGates",
  forward: (arrays, attributes) => {
    const [gi, gh, h, bi, bh] = arrays.map((array) => array.data as Floats);
    const { shape } = arrays[2]!;
    const dtype = arrays[2]!.dtype as FloatDType;
    const [batch, hidden] = shape as [number, number];
    const { out, tape } = gatesForward({ batch, hidden, dtype, gi: gi!, gh: gh!, h: h!, bi, bh });
    attributes.tape = tape;
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs, attributes: { tape } }) => {
    const [gi, gh, h, bi, bh] = inputs as [Tensor, Tensor, Tensor, Tensor?, Tensor?];
    const found = isRecording()
      ? composedGateCotangents(g, { gi, gh, h, bi, bh })
      : fusedCotangents(g, h, tape!);
    return bi && bh ? [found.gi, found.gh, found.h, found.gi, found.gh] : [found.gi, found.gh, found.h];
  },
});

function fusedCotangents(g: Tensor, h: Tensor, tape: GateTape): { gi: Tensor; gh: Tensor; h: Tensor } {
  const [batch, hidden] = h.shape as [number, number];
  const dtype = h.dtype as FloatDType;
  const found = gatesBackward(batch, hidden, dtype, g.array.data as Floats, h.array.data as Floats, tape);
  const wide = (data: Floats): Tensor => new Tensor(new NDArray([batch, 3 * hidden], dtype, data));
  return { gi: wide(found.gi), gh: wide(found.gh), h: new Tensor(new NDArray(h.shape, dtype, found.h)) };
}

/**
 * One GRU step in one operation: r = σ(gi_r + gh_r), z = σ(gi_z + gh_z), n = tanh(gi_n + r·gh_n), h′ = n + z·(h − n). Both biases
 * or none. All tensors have one floating type. Its gradient is fused too; when the backward pass itself is recorded it is
 * composed of elementary operations, so that second derivatives work.
 */
export function gruGates({ gi, gh, h, bi, bh }: GateTensors): Tensor {
  return gates(bi && bh ? [gi, gh, h, bi, bh] : [gi, gh, h], { tape: undefined });
}
