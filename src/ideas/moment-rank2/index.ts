export { defaultBound } from "./amplification-bound.js";
export { dimensionTree, treeNumbers, type HierarchicalRanks, type TreeNode } from "./dimension-tree.js";
export { HierarchicalTruncation, type HierarchicalTruncationOptions } from "./hierarchical-truncation.js";
export { momentRank2 } from "./idea.js";
export {
  gridMoments,
  randomMoments,
  tensorMoments,
  type GridOptions,
  type MomentBasis,
  type SeparableWeight,
  type TensorGridOptions,
  type TensorMomentBasis,
} from "./moment-basis.js";
export { MomentPreservingTruncation, type MomentPreservingOptions } from "./moment-preserving-truncation.js";
export { MomentProjector } from "./moment-projector.js";
export { MomentPreservingLayer } from "./moment-preserving-layer.js";
export { PowerMomentTruncation, type PowerMomentOptions } from "./power-moment-truncation.js";
export { PowerCounter } from "./power/power-counter.js";
export { powerFallbacks, restorePowers, type PowerOptions } from "./power/restore-powers.js";
export { storedNumbers } from "./stored-numbers.js";
export { defaultSettings, forms, type Form, type Settings, type TruncationSettings } from "./settings.js";
export { truncateHierarchically, type HierarchicalOptions } from "./truncate-hierarchically.js";
export {
  truncateRank,
  truncationGradients,
  type TruncationGradient,
  type TruncationOptions,
} from "./truncate-rank.js";
export { TruncationCounter } from "./truncation-counter.js";
