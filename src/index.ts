/** The core of gradstand: tensors, operations and their gradients. */
export * from "./autograd/index.js";
export { errorCodes, GradstandError, type ErrorCode } from "./errors/index.js";
export { generator, Generator } from "./random/index.js";
export { kernelSets, NDArray, useKernels, type DType, type Kernels, type Shape } from "./tensor/index.js";
