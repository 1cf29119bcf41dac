import { Tensor } from "../../autograd/index.js";
import { fail, formatGiven } from "../../errors/index.js";
import type { StateDict } from "../state-dict.js";
import { elementCodes, lengthBytes, metadataKey, type TensorEntry } from "./format.js";

/**
 * A state dict as the bytes of a safetensors file, which PyTorch, JAX and {@link decodeSafetensors} read. Equal state dicts with
 * equal metadata give equal bytes, whatever the order of their keys: the tensors lie by falling size of their elements, then
 * by name.
 *
 * @param metadata free texts by name, kept beside the tensors
 * @throws E_SAFETENSORS for an entry that is no tensor, a name that the format keeps for itself, and metadata that is no text
 */
export function encodeSafetensors(
  state: Readonly<StateDict>,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array<ArrayBuffer> {
  for (const [what, given] of Object.entries({ "tensors by name": state, "texts by name": metadata })) {
    if (typeof given !== "object" || given === null)
      fail("E_SAFETENSORS", `encodeSafetensors: expected ${what}, got ${formatGiven(given)}`);
  }
  const tensors = Object.entries(state).map(([name, value]) => named(name, value));
  tensors.sort(([a, x], [b, y]) => bytesOf(y) - bytesOf(x) || (a < b ? -1 : 1));

  let end = 0;
  const entries = tensors.map(([name, tensor]): [string, TensorEntry] => {
    const begin = end;
    end += tensor.size * bytesOf(tensor);
    return [
      name,
      { dtype: elementCodes[tensor.dtype].name, shape: [...tensor.shape], data_offsets: [begin, end] },
    ];
  });
  const header = headerBytes(entries, metadata);

  const file = new Uint8Array(lengthBytes + header.length + end);
  const view = new DataView(file.buffer);
  view.setBigUint64(0, BigInt(header.length), true);
  file.set(header, lengthBytes);
  let at = lengthBytes + header.length;
  for (const [, tensor] of tensors) {
    const { bytes, put } = elementCodes[tensor.dtype];
    for (const value of tensor.values()) {
      put(view, at, Number(value));
      at += bytes;
    }
  }
  return file;
}

function named(name: string, value: unknown): [string, Tensor] {
  if (name === metadataKey)
    fail(
      "E_SAFETENSORS",
      `encodeSafetensors: the name ${metadataKey} belongs to the format; rename that tensor`,
    );
  if (!(value instanceof Tensor))
    fail("E_SAFETENSORS", `encodeSafetensors: expected a tensor as ${name}, got ${formatGiven(value)}`);
  return [name, value];
}

const bytesOf = ({ dtype }: Tensor): number => elementCodes[dtype].bytes;

/** The header, filled up with spaces so that what follows begins at a multiple of eight bytes. */
function headerBytes(
  entries: readonly [string, TensorEntry][],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const texts = Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of texts) {
    if (typeof value !== "string")
      fail(
        "E_SAFETENSORS",
        `encodeSafetensors: expected a text as metadata ${name}, got ${formatGiven(value)}`,
      );
  }
  const parts =
    texts.length === 0 ? entries : [[metadataKey, Object.fromEntries(texts)] as const, ...entries];
  // Joined by hand: an object would sort names that look like numbers to the front.
  const json = `{${parts.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
  const bytes = new TextEncoder().encode(json);
  const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8).fill(0x20);
  padded.set(bytes);
  return padded;
}
