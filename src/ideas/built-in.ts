import type { Idea } from "./idea.js";
import { momentRank2 } from "./moment-rank2/index.js";
import { residualPivoted } from "./residual-pivoted/index.js";

/** The ideas that come with the package, by name. */
export const builtInIdeas: ReadonlyMap<string, Idea> = new Map(
  [momentRank2, residualPivoted].map((idea) => [idea.name, idea]),
);
