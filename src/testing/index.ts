/** The test kit: laws that every function with a gradient keeps, and what checks them. Knows no test runner. */
export { Comparison, type TensorComparison } from "./comparison.js";
export { cotangentLike, inner, largest } from "./cotangent.js";
export { explained, type FailedCheck } from "./explain.js";
export { failureMessage } from "./failure/failure-message.js";
export { firstWrongOperation, type FirstOperationOptions } from "./failure/first-operation.js";
export { hintOf } from "./failure/hint.js";
export { LawError } from "./law-failure.js";
export type { LawFailure, Pattern, WrongOperation } from "./law-failure.js";
export { shrinkInputs, type Check, type Shrunk, type ShrinkOptions } from "./failure/shrink-inputs.js";
export { tensorLiteral } from "./failure/tensor-literal.js";
export type { LawPart, LawResult } from "./law-result.js";
export * from "./laws/index.js";
export type { ModuleSubject, Subject, SubjectOptions, TensorFunction } from "./subject.js";
