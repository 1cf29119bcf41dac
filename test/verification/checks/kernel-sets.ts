import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { isFloating, kernels, kernelSets, useKernels } from "../../../src/tensor/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/** In float32 every set of kernels gives the value and the gradients of `reference`, to the bit. */
export function checkKernelSets(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("KernelSets");
  const xs = inputs.map((x) => (isFloating(x.dtype) ? x.cast("float32") : x));
  const expected = under("reference", f, xs);
  for (const name of kernelSets.keys()) {
    if (name === "reference") continue;
    under(name, f, xs).forEach((found, i) =>
      comparison.bits(
        i === 0 ? "value" : `gradient of input ${i - 1}`,
        found,
        expected[i]!,
        { expected: "reference", found: name },
        `${name} = reference`,
      ),
    );
  }
  return comparison.result();
}

/** The value and, where there are any, the gradients with one set of kernels. */
function under(set: string, f: TensorFunction, inputs: readonly Tensor[]): Tensor[] {
  const before = kernels().name;
  useKernels(set);
  try {
    const { value, pullback } = vjp(f, ...inputs);
    return isFloating(value.dtype) ? [value, ...pullback(cotangentLike(value))] : [value];
  } finally {
    useKernels(before);
  }
}
