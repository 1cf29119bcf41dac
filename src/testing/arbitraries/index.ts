/** Random shapes, tensors, inputs, layers and graphs for fast-check, whose failures shrink slice by slice. */
export { forAll, type ForAllOptions, type ForAllResult, type Verdict } from "./for-all.js";
export { graphs, type DrawnGraph, type GraphsOptions } from "./graphs.js";
export { layerKinds, layers, type DrawnLayer, type LayerKind } from "./layers.js";
export { domains, magnitudes, specials, type MagnitudeOptions } from "./numbers.js";
export { axesOf, broadcastShapePairs, dtypes, shapes } from "./shapes.js";
export { parseSignature, resultShape, sizesOf, type Signature } from "../signature.js";
export {
  broadcastable,
  inputs,
  matmulPairs,
  tensors,
  type ElementOptions,
  type InputsOptions,
  type PairOptions,
  type SizeOptions,
  type TensorsOptions,
} from "./tensors.js";
