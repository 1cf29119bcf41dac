import { philoxBlocks } from "./philox.js";

let fill = philoxBlocks;

/** {@link philoxBlocks}, done by what does it fastest here. */
export function fillBlocks(counter: Uint32Array, key: Uint32Array, out: Uint32Array): void {
  fill(counter, key, out);
}

/** Has `fast` fill the blocks of every stream from now on; it must give the bits of {@link philoxBlocks}. */
export function fillBlocksBy(fast: typeof philoxBlocks): void {
  fill = fast;
}
