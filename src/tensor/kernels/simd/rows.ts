import { wasm } from "./wasm/rows.js";
import { wasmModule } from "./wasm-module.js";

/** The functions of assembly/rows: numbers of rows and of elements in one, then addresses. */
interface RowFunctions {
  softmax(rows: number, length: number, x: number, out: number): void;
  logSoftmax(rows: number, length: number, x: number, out: number): void;
  logSumExp(rows: number, length: number, x: number, out: number, scratch: number): void;
  softmaxBackward(rows: number, length: number, y: number, g: number, out: number): void;
  logSoftmaxBackward(rows: number, length: number, y: number, g: number, out: number): void;
  norm(rows: number, length: number, x: number, out: number, scratch: number): void;
  normalizeRows(rows: number, length: number, eps: number, x: number, out: number, scale: number): void;
  normalizeRowsBackward(rows: number, length: number, y: number, scale: number, g: number, out: number): void;
  layerNorm(
    rows: number,
    length: number,
    eps: number,
    x: number,
    weight: number,
    bias: number,
    out: number,
    normal: number,
    scale: number,
  ): void;
  layerNormBackward(
    rows: number,
    length: number,
    g: number,
    normal: number,
    scale: number,
    weight: number,
    dx: number,
    weighted: number,
    scratch: number,
  ): void;
}

/** The kernels that take each row of a matrix on its own. */
export const rows = wasmModule<RowFunctions>(wasm);
