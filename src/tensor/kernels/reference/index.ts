import type { Kernels } from "../kernels.js";
import { adam } from "./adam.js";
import { binary } from "./binary.js";
import { normalizeRows } from "./normalize-rows.js";
import { product } from "./product.js";
import { reduce } from "./reduce.js";
import { scan } from "./scan.js";
import { logSoftmax, logSumExp, softmax } from "./softmax.js";
import { unary } from "./unary.js";

/** The readable kernels: the definition of each operation, for float32 and float64. */
export const referenceKernels: Kernels = {
  name: "reference",
  unary,
  binary,
  reduce,
  scan,
  product,
  softmax,
  logSoftmax,
  logSumExp,
  normalizeRows,
  adam,
};
