import type { Tensor } from "../../autograd/index.js";
import { crossEntropy, mseLoss } from "../../nn/index.js";
import type { TrackLoss } from "../tracks/index.js";

/** What a model is trained on, from its prediction `[batch, outputs]` and the targets or classes of a batch: one number. */
export const trackLosses: Readonly<Record<TrackLoss, (prediction: Tensor, targets: Tensor) => Tensor>> = {
  "squared error": (prediction, targets) => mseLoss(prediction, targets),
  "cross-entropy": (prediction, targets) => crossEntropy(prediction, targets),
};
