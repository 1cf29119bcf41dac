import { memory } from "../../memory/index.js";

/** A small module whose one function adds two vectors: an engine without 128-bit SIMD refuses it. */
const probe = "AGFzbQEAAAABBgFgAXsBewMCAQAKCwEJACAAIAD95AEL";

/** Whether this engine runs WebAssembly with 128-bit SIMD. */
export function simdIsSupported(): boolean {
  try {
    return typeof WebAssembly === "object" && WebAssembly.validate(bytesOf(probe));
  } catch {
    return false;
  }
}

/**
 * The functions of an embedded module, compiled and bound to this thread's linear memory when they are first asked for.
 * Every argument and result of them is a number; addresses are in bytes.
 */
export function wasmModule<Functions>(base64: string): () => Functions {
  let functions: Functions | undefined;
  return () => {
    if (!functions) {
      const module = new WebAssembly.Module(bytesOf(base64));
      const instance = new WebAssembly.Instance(module, { env: { memory: memory().memory } });
      functions = instance.exports as Functions;
    }
    return functions;
  };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
