import {
  attentionCostCell,
  type AttentionCostFigures,
  type AttentionCostPoint,
} from "./cells/attention-cost.js";
import { presentAttentionCost } from "./attention-cost-presentation.js";
import { combinations } from "./study-grid.js";
import type { Study } from "./study.js";

/** What attention costs in time and memory, exact and through pivots. */
export const attentionCost: Study<AttentionCostPoint, AttentionCostFigures> = {
  name: "attention-cost",
  title: "What residual-pivoted attention costs beside exact attention",
  question:
    "From which length on is attention through r pivots faster, or smaller in memory, than exact attention with and without " +
    "the n × n matrix?",
  grid: {
    method: ["naive", "fused", "pivoted"],
    pass: ["forward", "both"],
    width: [8, 64],
    rank: [4, 8, 16, 32, 64, 128],
    n: [128, 256, 512, 1024, 2048, 4096, 8192, 16384],
  },
  /** Exact attention has no rank: it is measured once. */
  points: ({ rank, ...others }) =>
    combinations({ ...others, rank: rank! }).flatMap((given): AttentionCostPoint[] => {
      const { method, pass, width, n } = given as AttentionCostPoint;
      if (method === "pivoted") return [{ method, pass, width, rank: given.rank as number, n }];
      return given.rank === rank![0] ? [{ method, pass, width, rank: 0, n }] : [];
    }),
  measures: () => true,
  /** Naive: three n × n matrices forward, and as many cotangents. */
  room: ({ method, pass, n }) => (method === "naive" ? 4 * n * n * (pass === "both" ? 7 : 3) : 0),
  cell: (point) => attentionCostCell(point),
  present: presentAttentionCost,
};
