import { philoxBlocks } from "../../../random/philox.js";
import type { Kernels } from "../kernels.js";
import { adam } from "./adam.js";
import { attention, attentionBackward } from "./attention.js";
import { binary } from "./binary.js";
import { gruBackward } from "./gru-backward.js";
import { gruForward, gruWeight } from "./gru-forward.js";
import { layerNorm, layerNormBackward } from "./layer-norm.js";
import { norm } from "./norm.js";
import { normalizeRowsBackward } from "./normalize-rows-backward.js";
import { normalizeRows } from "./normalize-rows.js";
import { product } from "./product.js";
import { reduce } from "./reduce.js";
import { scan } from "./scan.js";
import { logSoftmaxBackward, softmaxBackward } from "./softmax-backward.js";
import { logSoftmax, logSumExp, softmax } from "./softmax.js";
import { unaryBackward } from "./unary-backward.js";
import { unary } from "./unary.js";
import { pack, unpack } from "./walk.js";

/** The readable kernels: the definition of each operation, for float32 and float64. */
export const referenceKernels: Kernels = {
  name: "reference",
  unary,
  unaryBackward,
  binary,
  pack,
  unpack,
  reduce,
  scan,
  product,
  softmax,
  logSoftmax,
  logSumExp,
  norm,
  normalizeRows,
  softmaxBackward,
  logSoftmaxBackward,
  normalizeRowsBackward,
  layerNorm,
  layerNormBackward,
  attention,
  attentionBackward,
  adam,
  gruWeight,
  gruForward,
  gruBackward,
  philoxBlocks,
};
