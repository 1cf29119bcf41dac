import { expect } from "vitest";
import { gradients, noGrad, tensor, type Tensor } from "../../src/autograd/index.js";
import { generator } from "../../src/random/index.js";
import type { Shape } from "../../src/tensor/index.js";

/** Cotangents without symmetry: ones would hide softmax and layer norm. */
function probe(shape: Shape, dtype: Tensor["dtype"]): Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  return tensor(generator("probe").normals(size), { shape: [...shape] }).cast(dtype);
}

/** A float64 leaf of normal numbers. */
export function normalLeaf(seed: string, shape: Shape): Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  return tensor(generator(seed).normals(size), { shape: [...shape], requiresGrad: true });
}

/**
 * The gradient of ⟨probe, f()⟩ in each leaf by the rules, against five-point differences of f with the leaf moved, element by
 * element, in float64: within 1e-9 of max(1, |g|∞).
 */
export function expectCorrectGradients(f: () => Tensor, leaves: readonly Tensor[]): void {
  const out = f();
  expect(out.dtype).toBe("float64");
  const cotangent = probe(out.shape, "float64");
  const found = gradients(out, leaves, { cotangents: [cotangent] });
  const objective = (): number => noGrad(() => f().mul(cotangent).sum().item());
  leaves.forEach((leaf, which) => {
    const rule = found[which]?.values() ?? new Float64Array(leaf.size);
    const size = Math.max(1, ...rule.map(Math.abs));
    const start = leaf.detach();
    const values = start.values();
    for (let at = 0; at < values.length; at++) {
      const h = 1e-3 * Math.max(1, Math.abs(values[at]!));
      const moved = (steps: number): number => {
        const next = values.slice();
        next[at] = values[at]! + steps * h;
        leaf.assign(tensor(next, { shape: leaf.shape }));
        return objective();
      };
      const difference = (moved(-2) - 8 * moved(-1) + 8 * moved(1) - moved(2)) / (12 * h);
      const error = Math.abs(rule[at]! - difference) / size;
      if (!(error <= 1e-9)) {
        expect.fail(`leaf ${which} entry ${at}: the rule gives ${rule[at]}, differences ${difference}`);
      }
    }
    leaf.assign(start);
  });
}

/** The derivative of the gradient along a direction, by recording the backward pass, against differences of the gradient. */
export function expectCorrectSecondDerivatives(f: () => Tensor, leaves: readonly Tensor[]): void {
  const first = (createGraph: boolean): Tensor[] => {
    const out = f();
    const square = out.mul(out).mul(probe(out.shape, "float64")).sum();
    return gradients(square, leaves, { createGraph }) as Tensor[];
  };
  const directions = leaves.map((leaf, i) => normalLeaf(`direction ${i}`, leaf.shape).detach());
  const slope = first(true).map((g, i) => g.mul(directions[i]!).sum());
  const second = gradients(
    slope.reduce((a, b) => a.add(b)),
    leaves,
  );
  const starts = leaves.map((leaf) => leaf.detach());
  const h = 1e-3;
  const moved = (steps: number): Tensor[] => {
    leaves.forEach((leaf, i) => leaf.assign(starts[i]!.add(directions[i]!.mul(steps * h))));
    const found = first(false);
    leaves.forEach((leaf, i) => leaf.assign(starts[i]!));
    return found;
  };
  const [a, b, c, d] = [moved(-2), moved(-1), moved(1), moved(2)];
  leaves.forEach((_, i) => {
    const difference = a[i]!.sub(b[i]!.mul(8))
      .add(c[i]!.mul(8))
      .sub(d[i]!)
      .div(12 * h);
    const size = Math.max(1, ...difference.abs().values());
    const error = Math.max(...second[i]!.sub(difference).abs().values()) / size;
    expect(error, `second derivative of leaf ${i}`).toBeLessThanOrEqual(1e-7);
  });
}
