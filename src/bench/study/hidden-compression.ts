import { armOf, compressionArms, type CompressionArmName } from "./cells/compression-arms.js";
import {
  compressionQuality,
  compressionTime,
  trainingOf,
  type HiddenCompressionFigures,
  type HiddenCompressionPoint,
} from "./cells/hidden-compression.js";
import { presentHiddenCompression } from "./hidden-compression-presentation.js";
import { combinations } from "./study-grid.js";
import type { Study } from "./study.js";

/** What compressing the hidden state to fewer numbers costs and keeps. */
export const hiddenCompression: Study<HiddenCompressionPoint, HiddenCompressionFigures> = {
  name: "hidden-compression",
  title: "Compressing the hidden state: ranks, forms, tensors, moments",
  question:
    "How much of the error and of the drift of roll-outs does a compression of the hidden state cost at each rank, and is any of " +
    "them better than a plain state of as many numbers?",
  grid: {
    figures: ["quality", "time"],
    arm: Object.keys(compressionArms),
    rank: [1, 2, 3, 4, 5, 6, 7, 8],
    seed: [0, 1, 2],
  },
  /** The baseline has no rank, an arm none at which it stores more than a state has, and a time no seed. */
  points: (grid) =>
    combinations(grid).flatMap((given): HiddenCompressionPoint[] => {
      const { figures, arm, rank, seed } = given as HiddenCompressionPoint;
      if (figures === "time" && seed !== grid.seed![0]) return [];
      const point = { figures, arm, seed };
      if (arm === "baseline") return rank === grid.rank![0] ? [{ ...point, rank: 0 }] : [];
      return Number.isInteger(rank) && rank >= 1 && rank <= armOf(arm as CompressionArmName).most
        ? [{ ...point, rank }]
        : [];
    }),
  models: (point) => (point.figures === "quality" ? [trainingOf(point)] : []),
  measures: ({ figures }) => figures === "time",
  cell: (point, models) =>
    point.figures === "quality" ? compressionQuality(point, models[0]!) : compressionTime(point),
  present: presentHiddenCompression,
};
