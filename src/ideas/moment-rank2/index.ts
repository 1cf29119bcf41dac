export { defaultBound } from "./amplification-bound.js";
export { momentRank2 } from "./idea.js";
export {
  gridMoments,
  randomMoments,
  type GridOptions,
  type MomentBasis,
  type SeparableWeight,
} from "./moment-basis.js";
export { MomentPreservingTruncation, type MomentPreservingOptions } from "./moment-preserving-truncation.js";
export { MomentProjector } from "./moment-projector.js";
export { forms, type Form, type Settings } from "./settings.js";
export {
  truncateRank,
  truncationGradients,
  type TruncationGradient,
  type TruncationOptions,
} from "./truncate-rank.js";
export { TruncationCounter } from "./truncation-counter.js";
