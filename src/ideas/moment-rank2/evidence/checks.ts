import { noGrad, randomUniform, tensor, zeros, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { MomentPreservingTruncation } from "../moment-preserving-truncation.js";
import type { Settings } from "../settings.js";
import { exactInput } from "./exact-input.js";
import { gradientGap } from "./gradient-gap.js";
import { errorIdentityGap, largestRank, momentDrift } from "./state-figures.js";
import { stateGrid } from "../state-grid.js";
import { momentTolerance } from "./tolerances.js";

/** Random matrices that each identity is checked on. */
const matrices = 256;

/**
 * The identities of the compression on random states, uniform on (−1, 1) as a GRU's are bounded: in float64 but for the
 * moments, which are those of the float32 layer that trains, measured in float64.
 */
export function momentRank2Checks(settings: Settings, rng: Generator): readonly MathCheck[] {
  const layer = new MomentPreservingTruncation({ ...settings, grid: stateGrid });
  const { projector } = layer;
  const states = (name: string): Tensor =>
    randomUniform(rng.stream(name), [matrices, stateGrid.rows, stateGrid.columns], {
      low: -1,
      high: 1,
      dtype: "float64",
    });
  const h = states("states");
  const h32 = h.cast("float32");
  const rank = Math.min(settings.rank + 2, stateGrid.rows, stateGrid.columns);
  const checks: [name: string, statement: string, observed: () => number, bound: number][] = [
    ["orthonormal", "max |⟨E_j, E_k⟩ − δ_jk|", () => orthonormalGap(layer), 1e-14],
    [
      "projector",
      "max |P(P(H)) − P(H)|",
      () => greatest(projector.project(projector.project(h)).sub(projector.project(h))),
      1e-13,
    ],
    [
      "self_adjoint",
      "max |⟨P(X), Y⟩ − ⟨X, P(Y)⟩|",
      () => adjointGap(layer, h, states("other states")),
      1e-12,
    ],
    [
      "max_moment_residual",
      "max |⟨E_k, C(H) − H⟩|, float32 measured in float64",
      () => momentDrift(projector, layer.forward(h32), h32),
      momentTolerance,
    ],
    ["error", errorStatement(settings), () => errorGap(layer, h), 1e-12],
    ["true_rank", `rank C(H) ≤ ${rank}`, () => largestRank(layer.forward(h)), rank],
    ["exactness", exactStatement(settings), () => exactnessGap(layer, rng), 1e-11],
    ["zero", "C(0) = 0", () => greatest(layer.forward(zeros([1, stateGrid.rows, stateGrid.columns]))), 0],
    [
      "gradient",
      "max |⟨G, DC[V]⟩ − ⟨C*[G], V⟩| of the unclipped gradient, DC by differences in float64",
      () => gradientGap(settings, rng),
      1e-7,
    ],
  ];
  return noGrad(() =>
    checks.map(([name, statement, observe, bound]) => {
      const observed = observe();
      return { name, statement, observed, bound, passed: observed <= bound };
    }),
  );
}

function greatest(x: Tensor): number {
  return x.abs().max().item();
}

function orthonormalGap({ projector: { basis } }: MomentPreservingTruncation): number {
  const e = tensor(basis.elements, { shape: [basis.count, basis.rows * basis.columns] });
  const products = e.matmul(e.transpose()).toArray() as number[][];
  return Math.max(
    ...products.flatMap((row, j) => row.map((product, k) => Math.abs(product - (j === k ? 1 : 0)))),
  );
}

function adjointGap({ projector }: MomentPreservingTruncation, x: Tensor, y: Tensor): number {
  return greatest(
    projector
      .project(x)
      .mul(y)
      .sub(x.mul(projector.project(y)))
      .sum([-2, -1]),
  );
}

function errorStatement({ form }: Settings): string {
  const cut = form === "B" ? "(I−P)H" : "H";
  return `‖H − C(H)‖² = ‖D‖² − ‖P(D)‖² with D = ${cut} − T_r(${cut}), relative to ‖H‖²`;
}

function errorGap(layer: MomentPreservingTruncation, h: Tensor): number {
  const remainder = layer.remainder(h);
  return errorIdentityGap(layer.projector, {
    h,
    c: layer.forward(h),
    remainder,
    truncated: layer.truncate(remainder),
  });
}

function exactStatement({ form }: Settings): string {
  return form === "B"
    ? "C(H) = H where H is a moment matrix plus rank r of the complement"
    : "C(H) = H where H − T_r(H) is a moment matrix";
}

function exactnessGap(layer: MomentPreservingTruncation, rng: Generator): number {
  const h = exactInput(layer, rng.stream("exact"));
  return greatest(layer.forward(h).sub(h));
}
