/** The test kit: laws that every function with a gradient keeps, and what checks them. Knows no test runner. */
export { cotangentLike, inner, largest } from "./cotangent.js";
export { LawError, type LawFailure } from "./law-failure.js";
export type { LawPart, LawResult } from "./law-result.js";
export * from "./laws/index.js";
export type { TensorFunction } from "./subject.js";
