export { convert } from "./convert.js";
export { allocate, dtypeOf, isDType, isFloating, mostElements, promote } from "./dtype.js";
export type { DType, Elements, FloatDType, Floats } from "./dtype.js";
export * from "./kernels/index.js";
export { broadcastLayout, broadcastStrides, forEachRow, type Layout } from "./layout.js";
export * from "./linalg/index.js";
export * from "./memory/index.js";
export { NDArray } from "./ndarray.js";
export { fromNested, fromTyped, toNested, type Nested } from "./nested.js";
export { formatArray } from "./print.js";
export {
  areBroadcastable,
  broadcastShapes,
  broadcastsTo,
  checkedShape,
  formatGiven,
  formatShape,
  mapNumbers,
  normalizeAxes,
  normalizeAxis,
  sameShape,
  sizeOf,
  stridesOf,
  type Shape,
} from "./shape.js";
export { stridedCopy, stridedWrite } from "./strided-copy.js";
