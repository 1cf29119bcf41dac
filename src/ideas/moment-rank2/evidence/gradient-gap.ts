import { noGrad, randomUniform, vjp, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import type { LayerOf } from "../grid-layer.js";
import type { Settings } from "../settings.js";
import { cutOf } from "./cut.js";
import { Scaled } from "./scaled.js";

/** Random states tried, those with a sufficient gap at every cut used. */
const candidates = 64;

/** The least gap (s_r − s_{r+1})/s_r at the cut of a state that is used: differences need a smooth neighbourhood. */
const leastGap = 0.1;

/** The step of the five-point differences along a direction of length 1. */
const step = 1e-3;

/**
 * The largest |⟨G, DC[V]⟩ − ⟨C*[G], V⟩| of the layer's exact, unclipped gradient over random states with a gap at the
 * cut, with random G and V of length 1 and DC[V] by five-point differences, all in float64. NaN when no state has the
 * gap: then nothing was checked.
 */
export function gradientGap(settings: Settings, rng: Generator, layerOf: LayerOf): number {
  const layer = layerOf({ ...settings, gradient: "exact", bound: Infinity });
  const scaled = new Scaled(settings);
  const { rows, columns } = scaled.projector.basis;
  const shape = [rows, columns];
  const draw = (name: string): Tensor[] => {
    const stream = rng.stream(`gradient ${name}`);
    return Array.from({ length: candidates }, () =>
      randomUniform(stream, shape, { low: -1, high: 1, dtype: "float64" }),
    );
  };
  const [states, cotangents, directions] = [draw("states"), draw("cotangents"), draw("directions")];
  let gap = 0;
  let used = 0;
  states.forEach((h, at) => {
    if (cutGap(settings, scaled, layer.remainder(h)) < leastGap) return;
    used++;
    const g = unit(cotangents[at]!);
    const v = unit(directions[at]!);
    const along = (steps: number): number =>
      noGrad(() => inner(g, layer.forward(h.add(v.mul(steps * step)))));
    const differences = (along(-2) - 8 * along(-1) + 8 * along(1) - along(2)) / (12 * step);
    const [pulled] = vjp((x: Tensor) => layer.forward(x), h).pullback(g);
    gap = Math.max(gap, Math.abs(inner(pulled!, v) - differences));
  });
  return used === 0 ? NaN : gap;
}

/** (s_r − s_{r+1})/s_r of what the layer truncates, the least of all cuts; 1 where nothing is cut. */
function cutGap(settings: Settings, { projector, scale }: Scaled, remainder: Tensor): number {
  const gaps = cutOf({ ...settings, form: "A" }, projector, scale(remainder)).spectra.map(({ s, k, rank }) =>
    rank < k ? 1 - s[rank]! / s[rank - 1]! : 1,
  );
  return Math.min(1, ...gaps);
}

function inner(x: Tensor, y: Tensor): number {
  return x.mul(y).sum().item();
}

function unit(x: Tensor): Tensor {
  return x.mul(1 / Math.sqrt(inner(x, x)));
}
