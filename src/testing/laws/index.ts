export { checkAdjoint, expectAdjoint, type AdjointOptions } from "./adjoint.js";
export { checkBatch, expectBatch } from "./batch.js";
export { checkBroadcasting, expectBroadcasting } from "./broadcasting.js";
export { checkCausality, expectCausality, type CausalityOptions } from "./causality.js";
export {
  checkCorrectGradients,
  expectCorrectGradients,
  type CorrectGradientsOptions,
} from "./correct-gradients.js";
export { checkEqualBits, expectEqualBits } from "./equal-bits.js";
export { checkEquivariance, expectEquivariance, type EquivarianceOptions } from "./equivariance.js";
export { checkFlatMemory, expectFlatMemory, type FlatMemoryOptions } from "./flat-memory.js";
export {
  checkFloat32Gradients,
  expectFloat32Gradients,
  type Float32GradientsOptions,
} from "./float32-gradients.js";
export { checkLinearPullback, expectLinearPullback, type LinearPullbackOptions } from "./linear-pullback.js";
export {
  checkPositiveSemidefinite,
  expectPositiveSemidefinite,
  type PositiveSemidefiniteOptions,
} from "./positive-semidefinite.js";
export {
  checkPreservedFunctionals,
  expectPreservedFunctionals,
  type Functional,
  type PreservedFunctionalsOptions,
} from "./preserved-functionals.js";
export { checkProjector, expectProjector, type ProjectorOptions } from "./projector.js";
export { checkSameBits, expectSameBits, type SameBitsOptions } from "./same-bits.js";
export { checkSameFunction, expectSameFunction, type SameFunctionOptions } from "./same-function.js";
export { checkSecondOrder, expectSecondOrder, type SecondOrderOptions } from "./second-order.js";
export {
  checkTraceDecrease,
  eliminatePivot,
  expectTraceDecrease,
  type PivotStep,
  type TraceDecreaseOptions,
} from "./trace-decrease.js";
export { checkZeroCotangent, expectZeroCotangent } from "./zero-cotangent.js";
