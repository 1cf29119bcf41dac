import { dimensionTree, type TreeNode } from "./dimension-tree.js";
import { HierarchicalTruncation } from "./hierarchical-truncation.js";
import {
  tensorMoments,
  type MomentBasis,
  type TensorGridOptions,
  type TensorMomentBasis,
} from "./moment-basis.js";
import type { MomentPreservingLayer } from "./moment-preserving-layer.js";
import { MomentPreservingTruncation } from "./moment-preserving-truncation.js";
import type { Settings } from "./settings.js";
import { gridShape } from "./state-grid.js";

/** Makes the layer that settings ask for. */
export type LayerOf = (settings: Settings) => MomentPreservingLayer;

/** The layer over the grid of the settings that keeps its moments: the one that trains, is checked and is measured. */
export function gridLayer(settings: Settings): MomentPreservingLayer {
  return layerOver(settings, momentsOf(settings));
}

/** The layer over the grid of the settings with another basis in place of its moments. */
export function layerOver(settings: Settings, basis: MomentBasis): MomentPreservingLayer {
  const shape = gridShape(settings.grid);
  return shape.length === 2
    ? new MomentPreservingTruncation({ ...settings, grid: basis })
    : new HierarchicalTruncation({ ...settings, shape, basis });
}

/** The moments of the grid of the settings. */
export function momentsOf(settings: Pick<Settings, "grid" | "weight">): TensorMomentBasis {
  return tensorMoments(gridOf(settings));
}

/** The tree over the modes of the grid, with the ranks of the settings. */
export function treeOf({ grid, rank, transferRank }: Settings): TreeNode {
  return dimensionTree(gridShape(grid), { leaf: rank, transfer: transferRank });
}

function gridOf({ grid, weight }: Pick<Settings, "grid" | "weight">): TensorGridOptions {
  const shape = gridShape(grid);
  return weight === "gaussian" ? { shape, weights: shape.map(gaussianWeights) } : { shape };
}

/** exp(−v²/2) at `points` evenly spaced v from −2 to 2, over its mean: two points weigh alike. */
function gaussianWeights(points: number): number[] {
  const weights = Array.from({ length: points }, (_, i) =>
    Math.exp(-((2 * ((2 * i) / (points - 1) - 1)) ** 2) / 2),
  );
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / points;
  return weights.map((weight) => weight / mean);
}
