import type { Floats } from "../../dtype.js";
import type { ProductLayout } from "../kernels.js";
import { single, tile32, tile64, type Block } from "./product-tile.js";

/** The sum over k is cut into blocks of this many terms; blocks are added in order. */
const terms = 256;

/** A block of a product, `m` rows: tiles of four rows and two columns, then what they leave over. */
function addBlock(block: Block, m: number): void {
  const { n } = block;
  const tile = block.out instanceof Float32Array ? tile32 : tile64;
  const rows = m - (m % 4);
  const columns = n - (n % 2);
  for (let i = 0; i < rows; i += 4) {
    for (let j = 0; j < columns; j += 2) tile(block, i, j);
    if (columns < n) for (let row = i; row < i + 4; row++) single(block, row, columns);
  }
  for (let i = rows; i < m; i++) for (let j = 0; j < n; j++) single(block, i, j);
}

/**
 * A batch of matrix products. Every element of the result is one running sum over k in blocks of 256, products and
 * sums rounded one by one, so that all storage orders of A and B give the same bits; the blocks are added in order to 0, to
 * the layout's `row`, or to what `out` holds when it says `accumulate`. A transposed operand is not copied, only walked the other way.
 */
export function product(layout: ProductLayout, a: Floats, b: Floats, out: Floats): void {
  const { m, k, n, transposeA, transposeB, offsetsA, offsetsB, accumulate, row } = layout;
  if (row) for (let at = 0; at < out.length; at += n) out.set(row, at);
  else if (!accumulate) out.fill(0);
  for (let batch = 0; batch < offsetsA.length; batch++) {
    const left = { start: offsetsA[batch]!, down: transposeA ? 1 : k, across: transposeA ? m : 1 };
    const right = { start: offsetsB[batch]!, down: transposeB ? 1 : n, across: transposeB ? k : 1 };
    for (let from = 0; from < k; from += terms) {
      const to = Math.min(from + terms, k);
      addBlock({ a, left, b, right, out, start: batch * m * n, n, from, to }, m);
    }
  }
}
