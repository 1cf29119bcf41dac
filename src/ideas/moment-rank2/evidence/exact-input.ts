import { randomNormal, tensor, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import { nodesOf } from "../dimension-tree.js";
import { momentsOf, treeOf } from "../grid-layer.js";
import type { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";

/**
 * A matrix or tensor that a layer of these settings must return as it is, `[1, rows, columns]` in float64, with the weight
 * in it already.
 *
 * M = Σ ⊗u, of r terms whose factors are all orthogonal to the factors of the first moment, ones without a weight, has no
 * moments, since each moment has such a factor in all modes but one. Form B: M plus any moments. Form A: M plus a small
 * multiple of E1, so that T takes M and leaves E1, or takes both. r is the least rank of the settings, and held below each
 * side, where there is no room for more.
 */
export function exactInput(settings: Settings, projector: MomentProjector, rng: Generator): Tensor {
  const { shape } = momentsOf(settings);
  const { rows, columns, elements } = projector.basis;
  const ranks = nodesOf(treeOf(settings)).map(({ rank }) => rank);
  const terms = Math.min(...ranks, ...shape.map((points) => points - 1));
  const first = tensor(elements.slice(0, rows * columns), { shape: [...shape] });
  const momentless = shape
    .map((points, mode) => {
      const others = shape.map((_, axis) => axis).filter((axis) => axis !== mode);
      const factor = first.sum(others);
      const unit = factor.mul(1 / Math.sqrt(factor.square().sum().item()));
      const u = randomNormal(rng, [terms, points], { dtype: "float64" });
      return u.sub(u.mul(unit).sum(-1, { keepDims: true }).mul(unit));
    })
    .reduce((product, u) => product.unsqueeze(-1).mul(u.unsqueeze(1)).reshape([terms, -1]))
    .sum(0)
    .reshape([1, rows, columns]);
  const moments =
    settings.form === "B"
      ? projector.project(randomNormal(rng, [rows, columns], { dtype: "float64" }))
      : first.reshape([rows, columns]).mul(1e-3);
  return momentless.add(moments);
}
