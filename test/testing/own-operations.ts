import { defineOp, tensor, type Tensor } from "../../src/autograd/index.js";
import { generator } from "../../src/random/index.js";
import { NDArray, type Floats } from "../../src/tensor/index.js";
import type { TensorFunction } from "../../src/testing/index.js";

/** A float64 tensor of normal numbers. */
export function normal(name: string, ...shape: number[]): Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  return tensor(generator(name).normals(size), { shape });
}

/** x² with a rule of one's own. */
export function square(rule: (g: Tensor, x: Tensor, y: Tensor) => Tensor | undefined): TensorFunction {
  const f = defineOp({
    name: "mySquare",
    forward: ([x]) =>
      new NDArray(
        x!.shape,
        x!.dtype,
        (x!.data as Floats).map((v) => v * v),
      ),
    vjp: ({ cotangent, inputs: [x], output }) => [rule(cotangent, x!, output)],
  });
  return (x) => f([x!]);
}

/** A·B of two matrices with a rule of one's own. */
export function product(rule: (g: Tensor, a: Tensor, b: Tensor) => readonly Tensor[]): TensorFunction {
  const f = defineOp({
    name: "myProduct",
    forward: ([a, b]) => {
      const [m, k] = a!.shape as [number, number];
      const n = b!.shape[1]!;
      const out = new Float64Array(m * n);
      for (let i = 0; i < m; i++)
        for (let j = 0; j < n; j++)
          for (let l = 0; l < k; l++)
            out[i * n + j] = out[i * n + j]! + a!.data[i * k + l]! * b!.data[l * n + j]!;
      return new NDArray([m, n], "float64", out);
    },
    vjp: ({ cotangent, inputs: [a, b] }) => rule(cotangent, a!, b!),
  });
  return (a, b) => f([a!, b!]);
}
