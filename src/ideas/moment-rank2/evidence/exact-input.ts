import { randomNormal, tensor, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import type { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";

/**
 * A matrix that a layer of these settings must return as it is, `[1, rows, columns]` in float64, on a grid without a weight.
 *
 * M = Σ u vᵀ, of r terms with u and v orthogonal to the constant vector, has no moments: each moment matrix is
 * x·1ᵀ + 1·yᵀ. Form B: M plus any moment matrix. Form A: M plus a small multiple of E1, so that T_r takes M and leaves
 * E1. The rank is held below the side, where there is no room for more.
 */
export function exactInput(settings: Settings, projector: MomentProjector, rng: Generator): Tensor {
  const { rows, columns, elements } = projector.basis;
  const rank = Math.min(settings.rank, rows - 1, columns - 1);
  const draw = (shape: number[]): Tensor => randomNormal(rng, shape, { dtype: "float64" });
  const centred = (x: Tensor): Tensor => x.sub(x.mean(-1, { keepDims: true }));
  const momentless = centred(draw([rank, rows]))
    .transpose()
    .matmul(centred(draw([rank, columns])));
  const size = rows * columns;
  const moments =
    settings.form === "B"
      ? projector.project(draw([rows, columns]))
      : tensor(elements.slice(0, size), { shape: [rows, columns] }).mul(1e-3);
  return momentless.add(moments).reshape([1, rows, columns]);
}
