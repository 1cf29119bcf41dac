import type { Kernels } from "../kernels.js";
import { referenceKernels } from "../reference/index.js";
import { attention, attentionBackward } from "./attention.js";
import { adam } from "./adam.js";
import { binary } from "./binary.js";
import { gruBackward, gruForward, gruWeight } from "./gru.js";
import { layerNorm, layerNormBackward } from "./layer-norm.js";
import { norm } from "./norm.js";
import { normalizeRows, normalizeRowsBackward } from "./normalize-rows.js";
import { philoxBlocks } from "./philox.js";
import { product } from "./product.js";
import { reduce } from "./reduce.js";
import { scan } from "./scan.js";
import { logSoftmax, logSoftmaxBackward, logSumExp, softmax, softmaxBackward } from "./softmax.js";
import { unary, unaryBackward } from "./unary.js";
import { pack, unpack } from "./walk.js";

export { simdIsSupported, wasmModule } from "./wasm-module.js";

/**
 * Kernels in WebAssembly with 128-bit SIMD: in float32 the same bits as the readable ones. Float64, and what is too small to
 * be worth a call, is left to those.
 */
export const simdKernels: Kernels = {
  ...referenceKernels,
  name: "simd",
  attention,
  attentionBackward,
  unary,
  unaryBackward,
  binary,
  pack,
  unpack,
  softmax,
  logSoftmax,
  logSumExp,
  softmaxBackward,
  logSoftmaxBackward,
  norm,
  normalizeRows,
  normalizeRowsBackward,
  layerNorm,
  layerNormBackward,
  adam,
  gruWeight,
  gruForward,
  gruBackward,
  philoxBlocks,
  product,
  reduce,
  scan,
};
