import { defineOp, matmul, type Tensor } from "../../autograd/index.js";
import { isFloating, kernels, NDArray, reserve, type FloatDType, type Floats } from "../../tensor/index.js";
import { isUnfused } from "../unfused.js";

const alone = Int32Array.of(0);

/** x·Wᵀ + b of a matrix x: the product is added to rows of b, block by block of its sum. */
export const affineOperation = defineOp({
  name: "affine",
  flops: ([x], { size }) => size * (2 * x!.shape.at(-1)! + 1),
  forward: ([x, weight, bias]) => {
    const [m, k] = x!.shape as [number, number];
    const n = weight!.shape[0]!;
    const dtype = x!.dtype as FloatDType;
    const out = reserve(dtype, m * n);
    const form = {
      m,
      k,
      n,
      transposeA: false,
      transposeB: true,
      offsetsA: alone,
      offsetsB: alone,
      row: bias!.data as Floats,
    };
    kernels().product(form, x!.data as Floats, weight!.data as Floats, out);
    return new NDArray([m, n], dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x, weight], needs }) => [
    needs[0] ? matmul(g, weight!) : undefined,
    needs[1] ? matmul(g, x!, { transposeA: true }) : undefined,
    needs[2] ? g.sum(0) : undefined,
  ],
});

/** x·Wᵀ + b for x `[…, inputs]`, W `[outputs, inputs]` and b `[outputs]`, when there is one. */
export function affine(x: Tensor, weight: Tensor, bias: Tensor | undefined): Tensor {
  if (!bias) return matmul(x, weight, { transposeB: true });
  const alike = isFloating(x.dtype) && x.dtype === weight.dtype && x.dtype === bias.dtype;
  if (!alike || isUnfused() || x.rank < 2 || x.size === 0)
    return matmul(x, weight, { transposeB: true }).add(bias);
  if (x.rank === 2) return affineOperation([x, weight, bias]);
  const inputs = x.shape[x.rank - 1]!;
  const out = affineOperation([x.reshape([-1, inputs]), weight, bias]);
  return out.reshape([...x.shape.slice(0, -1), weight.shape[0]!]);
}
