import { philoxBlocks as readable } from "../../../random/philox.js";
import { hasRoom, memory, push, rewind, stackTop } from "../../memory/index.js";
import { wasm } from "./wasm/philox.js";
import { wasmModule } from "./wasm-module.js";

interface Functions {
  philoxBlocks(
    c0: number,
    c1: number,
    c2: number,
    c3: number,
    k0: number,
    k1: number,
    out: number,
    blocks: number,
  ): void;
}

const functions = wasmModule<Functions>(wasm);

/** Below this many words a call costs more than it saves. */
const worthwhile = 64;

/** Blocks of Philox4x32-10, see `Kernels.philoxBlocks`. */
export function philoxBlocks(counter: Uint32Array, key: Uint32Array, out: Uint32Array): void {
  const blocks = out.length / 4;
  const carries = counter[0]! + blocks >= 2 ** 32;
  if (out.length < worthwhile || blocks % 4 !== 0 || carries || !hasRoom(out.byteLength)) {
    return readable(counter, key, out);
  }
  const mark = stackTop();
  const to = push(out.byteLength);
  functions().philoxBlocks(counter[0]!, counter[1]!, counter[2]!, counter[3]!, key[0]!, key[1]!, to, blocks);
  out.set(new Uint32Array(memory().buffer, to, out.length));
  rewind(mark);
  counter[0] = counter[0]! + blocks;
}
