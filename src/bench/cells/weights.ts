import { fail } from "../../errors/index.js";
import { tensor, type Tensor } from "../../autograd/index.js";
import type { StoredTensor, StoredWeights } from "./result.js";

const BYTES = 4;

/** A float32 tensor as its little-endian bytes in base64, on every machine. */
function encodeTensor(value: Tensor, name: string): StoredTensor {
  const numbers = value.values();
  if (!(numbers instanceof Float32Array)) {
    fail("E_DTYPE", `trained parameters are stored as float32; '${name}' is ${value.dtype}`);
  }
  const bytes = Buffer.alloc(numbers.length * BYTES);
  numbers.forEach((number, i) => bytes.writeFloatLE(number, i * BYTES));
  return { shape: [...value.shape], data: bytes.toString("base64") };
}

function decodeTensor({ shape, data }: StoredTensor): Tensor {
  const bytes = Buffer.from(data, "base64");
  const numbers = Float32Array.from({ length: bytes.length / BYTES }, (_, i) => bytes.readFloatLE(i * BYTES));
  // To V8 a list out of a message is of another kind than the shapes that are made here (see mapNumbers).
  const own: number[] = [];
  for (const length of shape) own.push(length);
  return tensor(numbers, { shape: own });
}

/** A state dict as plain data. */
export function encodeWeights(state: Readonly<Record<string, Tensor>>): StoredWeights {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, encodeTensor(value, name)]));
}

/** The state dict that {@link encodeWeights} was given, to the bit. */
export function decodeWeights(weights: StoredWeights): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(weights).map(([name, value]) => [name, decodeTensor(value)]));
}
