// Kernels that take each row of a matrix on its own.
export { layerNorm, layerNormBackward } from "./rows/layer-norm";
export { norm } from "./rows/norm";
export { normalizeRows, normalizeRowsBackward } from "./rows/normalize";
export { logSoftmax, logSoftmaxBackward, logSumExp, softmax, softmaxBackward } from "./rows/softmax";
