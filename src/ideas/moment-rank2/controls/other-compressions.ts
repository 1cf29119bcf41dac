import type { Control } from "../../idea.js";
import { completeSettings, type Settings } from "../settings.js";
import { stateCompression } from "../state-compression.js";

/** The compression under other settings than the idea's, where they matter to what it is compared with. */
function compressionUnder(changed: Partial<Settings>): Control["change"] {
  return (options) => ({ hidden: stateCompression({ ...completeSettings(options), ...changed }) });
}

const grids = {
  "4x4x4": { modes: "4×4×4", moments: "mass, three momenta and energy" },
  "2x2x2x2x2x2": { modes: "2×2×2×2×2×2", moments: "mass and six momenta, energy being mass" },
} as const;

/** The idea on a tensor of more modes, in hierarchical Tucker form, with the ranks of the idea's settings. */
function hierarchical(name: string, grid: keyof typeof grids): Control {
  const { modes, moments } = grids[grid];
  return {
    name,
    title: `hierarchical Tucker compression over ${modes}`,
    statement: `C(H) = P(H) + (I−P) T((I−P) H) over ${modes}, T the hierarchical SVD cut off at the ranks of the leaves and of the nodes above them, P keeping ${moments} (Grasedyck, 2010)`,
    why: "a matrix is the wrong shape, or as good as any: other modes of the same state do as well",
    byName: true,
    change: compressionUnder({ grid, moments: "grid" }),
  };
}

/** The truncation that keeps mean(h) and mean(h²), which know no grid, in place of the moments. */
const powerMoments: Control = {
  name: "power-moments",
  title: "truncation that keeps the means of h and h²",
  statement: "C(H) = mean(H) + σ(H)·(X − mean(X))/σ(X), X = T((I−P) H), P(H) = mean(H)",
  why: "moments over the grid mean nothing: two numbers that do not know the order of the units do as well",
  byName: true,
  change: compressionUnder({ moments: "power", weight: "none", powers: 2 }),
};

/** The compression over other modes, and with other moments. */
export const otherCompressions: readonly Control[] = [
  hierarchical("hierarchical-4x4x4", "4x4x4"),
  hierarchical("hierarchical-2x2x2x2x2x2", "2x2x2x2x2x2"),
  powerMoments,
];
