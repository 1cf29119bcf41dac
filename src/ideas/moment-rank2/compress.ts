import { defineOp, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { NDArray, reserve, type FloatDType, type Floats } from "../../tensor/index.js";
import { compress, type Compression, type CompressionTape, type Derivative } from "./kernel/compression.js";
import type { TruncationCounter } from "./truncation-counter.js";

/** How a compression is differentiated. */
export interface CompressionGradient {
  readonly derivative: Derivative;
  /** Counts the exact gradients that are clipped. */
  readonly counter: TruncationCounter | undefined;
}

/** One call of the operation, and what its forward pass leaves for the gradient. */
interface Call extends CompressionGradient {
  readonly compression: Compression;
  tape: CompressionTape | undefined;
}

/** One call of the gradient; with `adjoint` of its transpose. */
interface GradientCall extends Call {
  readonly adjoint: boolean;
}

/**
 * C(H) of every matrix, see {@link Compression}, in one operation, forward and backward: h of any shape is read as
 * `[batch, rows, columns]`.
 *
 * Gradient: P G + (I−P) DT[(I−P) G] in form B, P G + DT[(I−P) G] in form A, DT as `kernel/truncation-derivative.ts` has
 * it. It is linear in the cotangent G, and may be differentiated in it; its own derivative in H throws `E_SECOND_ORDER`.
 */
export function compressMatrices(h: Tensor, compression: Compression, gradient: CompressionGradient): Tensor {
  const { derivative, counter } = gradient;
  return compressionOperation([h], { compression, derivative, counter, tape: undefined });
}

/** {@link compressMatrices} as an operation. */
export const compressionOperation = defineOp<Call>({
  name: "compressMatrices",
  flops: (_inputs, { size }, { compression }) => size * compressionFlops(compression),
  forward: ([h], call) => {
    const { shape, dtype, data } = h!;
    const out = reserve(dtype as FloatDType, data.length);
    call.tape = compress(call.compression, data as Floats, out);
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent, inputs: [h], attributes }) => {
    if (attributes.derivative !== "straight-through") {
      return [compressionGradient([cotangent, h!], gradientCall(attributes, false))];
    }
    if (attributes.compression.count === 0) return [cotangent];
    return [compressionGradient([cotangent], gradientCall(attributes, false))];
  },
});

function gradientCall({ compression, derivative, counter, tape }: Call, adjoint: boolean): GradientCall {
  return { compression, derivative, counter, tape, adjoint };
}

const compressionGradient: (inputs: readonly Tensor[], call: GradientCall) => Tensor = defineOp({
  name: "compressMatricesGradient",
  forward: ([g], { compression, derivative, counter, tape, adjoint }) => {
    const { shape, dtype, data } = g!;
    const { s, k } = tape!;
    if (typeof derivative === "number") counter?.count(s, k, compression.rank, derivative);
    const out = reserve(dtype as FloatDType, data.length);
    const { ofRemainder } = compression;
    const pull = { derivative, before: ofRemainder || !adjoint, after: ofRemainder || adjoint };
    tape!.pull(data as Floats, pull, out);
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes, needs }): (Tensor | undefined)[] => {
    if (needs[1]) {
      fail(
        "E_SECOND_ORDER",
        "truncation: its gradient cannot be differentiated in H, because the derivatives of singular vectors divide " +
          "by every gap of the spectrum; take first derivatives only, or use the gradient 'straight-through'",
      );
    }
    const transposed = gradientCall(attributes, !attributes.adjoint);
    return [compressionGradient([cotangent, ...inputs.slice(1)], transposed), undefined].slice(
      0,
      inputs.length,
    );
  },
});

/** Sweeps that the decomposition of small matrices in float32 makes. */
const sweeps = 6;

/**
 * Floating-point operations for each entry: six Jacobi sweeps over all pairs of columns (three inner products and the rotation
 * of the columns and of the right vectors), the sum of r terms, and three projections on the moments.
 */
function compressionFlops({ rows, columns, rank, count }: Compression): number {
  const [long, short] = [Math.max(rows, columns), Math.min(rows, columns)];
  const pairs = (short * (short - 1)) / 2;
  const decomposition = sweeps * pairs * (6 * long + 6 * (long + short));
  return decomposition / (long * short) + 2 * rank + 3 * 4 * count;
}
