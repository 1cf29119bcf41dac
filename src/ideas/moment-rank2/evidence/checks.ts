import { noGrad, randomUniform, tensor, zeros, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { mathCheck } from "../../math-check.js";
import { gridLayer, momentsOf, type LayerOf } from "../grid-layer.js";
import type { MomentPreservingLayer } from "../moment-preserving-layer.js";
import { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";
import { cutOf } from "./cut.js";
import { exactInput } from "./exact-input.js";
import { gradientGap } from "./gradient-gap.js";
import { Scaled } from "./scaled.js";
import { largestGap, momentDrift, predictedErrors, squaredNorms } from "./state-figures.js";
import { momentTolerance } from "./tolerances.js";
import { nodeRanks, rankLaw } from "./true-rank.js";

/** Random matrices that each identity is checked on. */
const matrices = 256;

/**
 * The identities of the compression on random states, uniform on (−1, 1) as a GRU's are bounded: in float64 but for the
 * moments, which are those of the float32 layer that trains, measured in float64.
 *
 * `layerOf` makes the layer that is checked. Only what P must be is asked of the layer's own projector; the moments it
 * must keep, what it must cut and what it must return are worked out from the settings.
 */
export function momentRank2Checks(
  settings: Settings,
  rng: Generator,
  layerOf: LayerOf = gridLayer,
): readonly MathCheck[] {
  return noGrad(() => {
    const layer = layerOf(settings);
    const moments = new MomentProjector(momentsOf(settings));
    const scaled = new Scaled(settings);
    const { rows, columns } = moments.basis;
    const states = (name: string): Tensor =>
      randomUniform(rng.stream(name), [matrices, rows, columns], { low: -1, high: 1, dtype: "float64" });
    const h = states("states");
    const h32 = h.cast("float32");
    const [before, after] = [h, layer.forward(h)].map(scaled.scale) as [Tensor, Tensor];
    const exact = exactInput(settings, scaled.projector, rng.stream("exact"));
    const unchanged = scaled.restore(exact);
    const rank = rankLaw(settings);
    return [
      ...projectorChecks(layer, scaled, h, states("other states")),
      mathCheck(
        "max_moment_residual",
        "max |⟨E_k, C(H) − H⟩|, float32 measured in float64",
        momentDrift(moments, layer.forward(h32), h32),
        momentTolerance,
      ),
      mathCheck(
        "error",
        errorStatement(settings),
        largestGap(
          squaredNorms(before, after),
          predictedErrors(scaled.projector, cutOf(settings, scaled.projector, before)),
          squaredNorms(before),
        ),
        1e-12,
      ),
      mathCheck("true_rank", rank.statement, rank.observe(nodeRanks(settings, after)), rank.most),
      mathCheck(
        "exactness",
        exactStatement(settings),
        greatest(scaled.scale(layer.forward(unchanged)).sub(exact)),
        1e-11,
      ),
      mathCheck(
        "zero",
        "C(0) = 0",
        greatest(layer.forward(zeros([1, rows, columns], { dtype: "float64" }))),
        0,
      ),
      mathCheck(
        "gradient",
        "max |⟨G, DC[V]⟩ − ⟨C*[G], V⟩| of the unclipped gradient, DC by differences in float64",
        gradientGap(settings, rng, layerOf),
        1e-7,
      ),
    ];
  });
}

/** What makes the layer's P an orthogonal projector, on random X and Y. */
function projectorChecks(
  { projector }: MomentPreservingLayer,
  { scale }: Scaled,
  x: Tensor,
  y: Tensor,
): MathCheck[] {
  const px = projector.project(x);
  const py = projector.project(y);
  return [
    mathCheck("orthonormal", "max |⟨E_j, E_k⟩ − δ_jk|", orthonormalGap(projector), 1e-14),
    mathCheck("projector", "max |P(P(H)) − P(H)|", greatest(projector.project(px).sub(px)), 1e-13),
    mathCheck(
      "self_adjoint",
      "max |⟨P(X), Y⟩ − ⟨X, P(Y)⟩|",
      greatest(
        scale(px)
          .mul(scale(y))
          .sub(scale(x).mul(scale(py)))
          .sum([-2, -1]),
      ),
      1e-12,
    ),
  ];
}

function orthonormalGap({ basis }: MomentProjector): number {
  const e = tensor(basis.elements, { shape: [basis.count, basis.rows * basis.columns] });
  const products = e.matmul(e.transpose()).toArray() as number[][];
  return Math.max(
    ...products.flatMap((row, j) => row.map((product, k) => Math.abs(product - (j === k ? 1 : 0)))),
  );
}

function greatest(x: Tensor): number {
  return x.abs().max().item();
}

function errorStatement({ form }: Settings): string {
  const cut = form === "B" ? "(I−P)H" : "H";
  return `‖H − C(H)‖² = ‖D‖² − ‖P(D)‖² with D = ${cut} − T_r(${cut}), relative to ‖H‖²`;
}

function exactStatement({ form }: Settings): string {
  return form === "B"
    ? "C(H) = H where H is a moment matrix plus rank r of the complement"
    : "C(H) = H where H − T_r(H) is a moment matrix";
}
