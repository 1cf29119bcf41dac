import { stateGrid } from "./state-grid.js";

/** The moments of a state. */
const moments = 4;

/** Numbers that describe a state compressed at rank r: r·(rows + columns) of the truncation, and the moments. */
export function storedNumbers(rank: number): number {
  return rank * (stateGrid.rows + stateGrid.columns) + moments;
}
