export {
  keptWeights,
  type AttentionArrays,
  type AttentionCotangents,
  type AttentionLayout,
  type HeadRows,
  type MaskSteps,
} from "./attention-layout.js";
export type {
  AdamStep,
  Along,
  BinaryOp,
  GruBackward,
  GruForward,
  GruSizes,
  GruWeight,
  Kernels,
  LayerNormBackward,
  LayerNormForward,
  ProductLayout,
  ReduceOp,
  ScanOp,
  UnaryBackwardOp,
  UnaryOp,
  Walk,
} from "./kernels.js";
export { kernels, kernelSets, useKernels } from "./registry.js";
export { referenceKernels } from "./reference/index.js";
export { wasmModule } from "./simd/index.js";
