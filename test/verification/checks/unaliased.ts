import { gradients, scope, Tensor, tensor } from "../../../src/autograd/index.js";
import { isFloating, LastingStorage, NDArray, type FloatDType } from "../../../src/tensor/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/** The value and the gradients stay what they are when the inputs are rewritten in place later, in a scope and without one. */
export function checkUnaliased(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("Unaliased");
  const compute = (leaves: readonly Tensor[]): Tensor[] => {
    const value = f(...leaves);
    if (!value.requiresGrad) return [value];
    const wanted = leaves.filter((leaf) => leaf.requiresGrad);
    const found = gradients(value, wanted, { cotangents: [cotangentLike(value)] });
    return [value, ...found.filter((g) => g !== undefined)];
  };
  const expected = compute(inputs.map((x) => new Tensor(x.array, isFloating(x.dtype))));
  for (const where of ["without a scope", "in a scope"]) {
    const owned = inputs.map(ownedLeaf);
    const leaves = owned.map(({ leaf }) => leaf);
    const results = where === "in a scope" ? scope(() => compute(leaves)) : compute(leaves);
    for (const { rewrite } of owned) rewrite();
    results.forEach((result, i) =>
      comparison.bits(`${i === 0 ? "value" : `gradient ${i}`}, ${where}`, result, expected[i]!),
    );
  }
  return comparison.result();
}

/** A leaf of the same value, whose elements can be rewritten in place as an optimizer does with parameters. */
function ownedLeaf(x: Tensor): { leaf: Tensor; rewrite: () => void } {
  const { shape, dtype, data } = x.array;
  if (!isFloating(dtype)) return { leaf: x, rewrite: () => undefined };
  const home = new LastingStorage(dtype as FloatDType, data.length);
  home.elements.set(data);
  const leaf = tensor(0, { dtype, requiresGrad: true });
  leaf.array = new NDArray(shape, dtype, home.elements, home);
  return { leaf, rewrite: () => home.elements.fill(NaN) };
}
