import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, hasRoom, push, rewind, stackTop } from "../../memory/index.js";
import type { ProductLayout } from "../kernels.js";
import { product as readable } from "../reference/product.js";
import { wasm } from "./wasm/product.js";
import { wasmModule } from "./wasm-module.js";

/** Every argument is a number: 0 or 1 for what is true or false, addresses in bytes (no row: 0), `ld` in elements. */
type Gemm = (
  transposeA: number,
  transposeB: number,
  m: number,
  n: number,
  k: number,
  a: number,
  lda: number,
  b: number,
  ldb: number,
  out: number,
  ldOut: number,
  accumulate: number,
  row: number,
  scratch: number,
) => void;

const functions = wasmModule<{ readonly product: Gemm }>(wasm);

/** The bytes that a product packs pieces of its operands into; the same number stands in assembly/product.ts. */
const scratchBytes = 139264;

/** With fewer terms than this in all products together the readable kernel is done sooner. */
const worthwhile = 128;

/** A batch of matrix products, see `Kernels.product`. */
export function product(layout: ProductLayout, a: Floats, b: Floats, out: Floats): void {
  const { m, k, n, transposeA, transposeB, offsetsA, offsetsB, accumulate, row } = layout;
  if (
    !(out instanceof Float32Array) ||
    out.length * k < worthwhile ||
    !hasRoom(4 * (a.length + b.length + out.length + n) + scratchBytes)
  ) {
    return readable(layout, a, b, out);
  }
  const gemm = functions().product;
  const mark = stackTop();
  const left = addressOf(a as Float32Array);
  const right = addressOf(b as Float32Array);
  const target = accumulate ? addressOf(out) : addressFor(out);
  const start = row ? addressOf(row as Float32Array) : 0;
  const scratch = push(scratchBytes);
  const lda = transposeA ? m : k;
  const ldb = transposeB ? k : n;
  const formA = transposeA ? 1 : 0;
  const formB = transposeB ? 1 : 0;
  const add = accumulate ? 1 : 0;
  for (let i = 0; i < offsetsA.length; i++) {
    const from = left + 4 * offsetsA[i]!;
    const by = right + 4 * offsetsB[i]!;
    gemm(formA, formB, m, n, k, from, lda, by, ldb, target + 4 * i * m * n, n, add, start, scratch);
  }
  deliver(out, target);
  rewind(mark);
}
