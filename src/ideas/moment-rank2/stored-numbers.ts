import { treeNumbers } from "./dimension-tree.js";
import { momentsOf, treeOf } from "./grid-layer.js";
import type { Settings } from "./settings.js";
import { units } from "./state-grid.js";

/**
 * Numbers that describe a compressed state: those of the truncation, r·(rows + columns) for a matrix, and the moments. At
 * most as many as a state has. Without `moments` those of the truncation alone.
 */
export function storedNumbers(
  settings: Settings,
  { moments = true }: { readonly moments?: boolean } = {},
): number {
  const count = settings.moments === "power" ? settings.powers : momentsOf(settings).count;
  return Math.min(units, treeNumbers(treeOf(settings)) + (moments ? count : 0));
}
