export { checkAdjoint, expectAdjoint, type AdjointOptions } from "./adjoint.js";
export { checkBatch, expectBatch } from "./batch.js";
export { checkBroadcasting, expectBroadcasting } from "./broadcasting.js";
export {
  checkCorrectGradients,
  expectCorrectGradients,
  type CorrectGradientsOptions,
} from "./correct-gradients.js";
export { checkEqualBits, expectEqualBits } from "./equal-bits.js";
export { checkFlatMemory, expectFlatMemory, type FlatMemoryOptions } from "./flat-memory.js";
export {
  checkFloat32Gradients,
  expectFloat32Gradients,
  type Float32GradientsOptions,
} from "./float32-gradients.js";
export { checkLinearPullback, expectLinearPullback, type LinearPullbackOptions } from "./linear-pullback.js";
export { checkSameBits, expectSameBits } from "./same-bits.js";
export { checkSecondOrder, expectSecondOrder, type SecondOrderOptions } from "./second-order.js";
export { checkZeroCotangent, expectZeroCotangent } from "./zero-cotangent.js";
