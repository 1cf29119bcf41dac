export type {
  AdamStep,
  Along,
  BinaryOp,
  Kernels,
  ProductLayout,
  ReduceOp,
  ScanOp,
  UnaryOp,
} from "./kernels.js";
export { kernels, kernelSets, useKernels } from "./registry.js";
export { referenceKernels } from "./reference/index.js";
