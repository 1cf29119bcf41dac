import { tracks } from "../tracks/index.js";
import { presentAttentionQuality } from "./attention-quality-presentation.js";
import {
  attentionQualityCell,
  qualityModel,
  type AttentionQualityFigures,
  type AttentionQualityPoint,
} from "./cells/attention-quality.js";
import { combinations } from "./study-grid.js";
import type { Study } from "./study.js";

/** What attention through pivots is worth on trained models. */
export const attentionQuality: Study<AttentionQualityPoint, AttentionQualityFigures> = {
  name: "attention-quality",
  title: "What attention through pivots gives up",
  question:
    "How far are the traces and outputs of each law of pivots, and of its rivals, from the best of their rank on the attention of " +
    "trained models, and what does it cost in their scores, put in after training or trained through?",
  grid: {
    track: ["sequence", "recall"],
    trained: ["exact", "pivoted"],
    seed: [0, 1, 2],
    rank: [4, 8, 16, 32, 64, 128],
  },
  /** As many pivots as there are points make exact attention: nothing is trained through them. */
  points: (grid) =>
    (combinations(grid) as readonly AttentionQualityPoint[]).filter(
      ({ track, trained, rank }) =>
        trained === "exact" || rank < 2 * (tracks.get(track)?.input.steps ?? Infinity),
    ),
  models: (point) => [qualityModel(point)],
  cell: attentionQualityCell,
  present: presentAttentionQuality,
};
