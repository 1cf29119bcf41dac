import { noGrad, randomUniform, tensor, vjp, zeros, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { mathCheck } from "../../math-check.js";
import { momentsOf } from "../grid-layer.js";
import { PowerCounter } from "../power/power-counter.js";
import { restorePowers } from "../power/restore-powers.js";
import type { Settings } from "../settings.js";
import { powerLayer } from "../state-compression.js";
import { units } from "../state-grid.js";
import { exactInput } from "./exact-input.js";
import { meanProjector, powerDrifts } from "./power-means.js";
import { momentTolerance } from "./tolerances.js";
import { nodeRanks, rankLaw } from "./true-rank.js";

/** Random states that each identity is checked on. */
const states = 256;

/** The step of the five-point differences along a direction of length 1, and the states tried. */
const step = 1e-4;
const directions = 8;

/** The layer that is checked: it keeps power moments of `[batch, 64]`. */
export interface PowerLayer {
  forward(h: Tensor): Tensor;
  truncate(h: Tensor): Tensor;
}

/** Makes the layer that settings ask for. */
export type PowerLayerOf = (settings: Settings, counter?: PowerCounter) => PowerLayer;

/**
 * The identities of power moments on random states, uniform on (−1, 1): in float64 but for the means, which are those of the
 * float32 layer. The means are asked for where all of them can be had; how often they cannot is a check of its own, for one
 * and two means, which always can.
 */
export function powerChecks(
  settings: Settings,
  rng: Generator,
  layerOf: PowerLayerOf = powerLayer,
): readonly MathCheck[] {
  return noGrad(() => {
    const { powers } = settings;
    const counter = new PowerCounter();
    const layer = layerOf(settings, counter);
    const h = randomUniform(rng.stream("states"), [states, units], { low: -1, high: 1, dtype: "float64" });
    const h32 = h.cast("float32");
    const drifts = powerDrifts(layer.forward(h32), h32, powers);
    const kept = Math.round(counter.rows - counter.fallbacks);
    const { rows, columns } = momentsOf(settings);
    const exact = exactInput(settings, meanProjector(settings), rng.stream("exact")).reshape([1, units]);
    const rank = rankLaw(settings);
    const compressed = layer.forward(h);
    return [
      mathCheck(
        "max_moment_residual",
        `max |mean(c^k) − mean(h^k)|, k ≤ ${powers}, over the ${kept} of ${states} states whose means can all be had, float32 measured in float64`,
        drifts.sort().at(kept - 1) ?? NaN,
        momentTolerance,
      ),
      ...(powers < 3
        ? [mathCheck("fallbacks", "states whose means cannot all be had", counter.fallbacks, 0)]
        : []),
      mathCheck(
        "equivariance",
        "max |C of the means alone of permuted units − permuted|",
        equivarianceGap(layer.truncate(h), h, powers, rng.stream("permutation")),
        1e-9,
      ),
      ...(rank.binding
        ? [
            mathCheck(
              "true_rank",
              rank.statement,
              rank.observe(nodeRanks(settings, compressed.reshape([states, rows, columns]))),
              rank.most,
            ),
          ]
        : []),
      mathCheck(
        "exactness",
        "C(H) = H where H is a multiple of ones plus rank r",
        layer.forward(exact).sub(exact).abs().max().item(),
        1e-9,
      ),
      mathCheck(
        "zero",
        "C(0) = 0",
        layer
          .forward(zeros([1, units], { dtype: "float64" }))
          .abs()
          .max()
          .item(),
        0,
      ),
      mathCheck(
        "gradient",
        "max |⟨G, DC[V]⟩ − ⟨C*[G], V⟩| of the means alone, DC by differences in float64, of ‖DC‖",
        restoringGap(layer.truncate(h), h, powers, rng.stream("gradient")),
        1e-6,
      ),
    ];
  });
}

/** The restored means of permuted entries beside the permuted ones of the entries. */
function equivarianceGap(x: Tensor, h: Tensor, count: number, rng: Generator): number {
  const order = tensor(rng.permutation(units));
  const permuted = (y: Tensor): Tensor => y.transpose().gather(order).transpose();
  const restored = (a: Tensor, b: Tensor): Tensor => restorePowers(a, b, { count, fallback: "fewer" });
  return restored(permuted(x), permuted(h))
    .sub(permuted(restored(x, h)))
    .abs()
    .max()
    .item();
}

/** The gradient in x and h beside differences, along random directions, of states whose means can all be had. */
function restoringGap(x: Tensor, h: Tensor, count: number, rng: Generator): number {
  let gap = 0;
  let used = 0;
  for (let at = 0; at < states && used < directions; at++) {
    const row = (y: Tensor): Tensor => y.slice([[at, at + 1]]);
    const counter = new PowerCounter();
    const f = (a: Tensor, b: Tensor): Tensor => restorePowers(a, b, { count, fallback: "fewer", counter });
    const draw = (): Tensor => {
      const direction = tensor(rng.normals(units), { shape: [1, units] });
      return direction.mul(1 / Math.sqrt(inner(direction, direction)));
    };
    const [g, v, w] = [draw(), draw(), draw()];
    const along = (steps: number): number =>
      noGrad(() => inner(g, f(row(x).add(v.mul(steps * step)), row(h).add(w.mul(steps * step)))));
    const differences = (along(-2) - 8 * along(-1) + 8 * along(1) - along(2)) / (12 * step);
    const [gx, gh] = vjp(f, row(x), row(h)).pullback(g);
    if (counter.fallbacks > 0) continue;
    used++;
    const size = Math.max(1, Math.sqrt(inner(gx!, gx!) + inner(gh!, gh!)));
    gap = Math.max(gap, Math.abs(inner(gx!, v) + inner(gh!, w) - differences) / size);
  }
  return used === 0 ? NaN : gap;
}

function inner(x: Tensor, y: Tensor): number {
  return x.mul(y).sum().item();
}
