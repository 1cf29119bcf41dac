import type { Floats } from "../../dtype.js";
import {
  addressFor,
  addressOf,
  deliver,
  hasRoom,
  memory,
  push,
  rewind,
  stackTop,
} from "../../memory/index.js";
import {
  queriesAtOnce,
  weightsPitch,
  type AttentionArrays,
  type AttentionCotangents,
  type AttentionLayout,
  type HeadRows,
} from "../attention-layout.js";
import { attention as readable, attentionBackward as readableBackward } from "../reference/attention.js";
import { wasm } from "./wasm/attention.js";
import { wasmModule } from "./wasm-module.js";

type Attention = (plan: number, scale: number) => void;

const functions = wasmModule<{ readonly forward: Attention; readonly backward: Attention }>(wasm);

/** The bytes of scratch: a panel of a product, keys and values turned, a block of queries, and two of weights. */
function scratchBytes({ keys, features, width }: AttentionLayout): number {
  const pitch = weightsPitch(keys);
  const floats = pitch * (features + width) + queriesAtOnce * (features + 2 * pitch);
  return 8192 + 4 * floats + 64;
}

/** Whether the fast kernel is to be used: float32, something to do, and room for all operands. */
function isFast(layout: AttentionLayout, arrays: AttentionArrays, factor: number): boolean {
  const { q, k, v, out, hidden, weights } = arrays;
  if (!(q instanceof Float32Array) || out.length === 0 || layout.keys === 0) return false;
  const elements = factor * (q.length + k.length + v.length + out.length) + (weights?.length ?? 0);
  return hasRoom(4 * elements + (hidden?.length ?? 0) + scratchBytes(layout));
}

/** Addresses of operands, one for each array: parts of one array are put into linear memory together. */
class Addresses {
  readonly #known = new Map<Floats, number>();

  of(x: Floats): number {
    let address = this.#known.get(x);
    if (address === undefined) this.#known.set(x, (address = addressOf(x as Float32Array)));
    return address;
  }

  /** Room for an output. */
  for(x: Floats): number {
    let address = this.#known.get(x);
    if (address === undefined) this.#known.set(x, (address = addressFor(x as Float32Array)));
    return address;
  }

  /** Copies outputs to where they belong, each once. */
  deliver(...outputs: readonly Floats[]): void {
    for (const x of new Set(outputs)) deliver(x as Float32Array, this.#known.get(x)!);
  }
}

function flagsAddress(hidden: Uint8Array | undefined): number {
  if (!hidden) return 0;
  const { buffer } = memory();
  if (hidden.length >= 64 && hidden.buffer === buffer) return hidden.byteOffset;
  const address = push(hidden.length + 8);
  new Uint8Array(buffer, address, hidden.length).set(hidden);
  return address;
}

const operand = (address: number, { start, batch, head, row }: HeadRows): number[] => [
  address + 4 * start,
  batch,
  head,
  row,
];

/** Writes the plan, see assembly/attention/plan.ts, and returns its address. */
function planOf(
  layout: AttentionLayout,
  arrays: AttentionArrays,
  addresses: Addresses,
  more: readonly number[],
): number {
  const { batch, heads, queries, keys, features, width, causal, mask } = layout;
  const { q, k, v, hidden, out, weights } = arrays;
  const numbers = [
    ...[batch, heads, queries, keys, features, width, Number(causal)],
    ...operand(addresses.of(q), layout.q),
    ...operand(addresses.of(k), layout.k),
    ...operand(addresses.of(v), layout.v),
    ...operand(addresses.for(out), layout.out),
    ...(mask ? [flagsAddress(hidden), mask.batch, mask.head, mask.row, mask.column] : [0, 0, 0, 0, 0]),
    weights ? addresses.for(weights) : 0,
    push(scratchBytes(layout)),
    ...more,
  ];
  const plan = push(4 * numbers.length);
  new Int32Array(memory().buffer, plan, numbers.length).set(numbers);
  return plan;
}

const scaleOf = ({ features }: AttentionLayout): number => 1 / Math.sqrt(features);

/** softmax(q·kᵀ/√features)·v, see `Kernels.attention`. */
export function attention(layout: AttentionLayout, arrays: AttentionArrays): void {
  if (!isFast(layout, arrays, 1)) return readable(layout, arrays);
  const { out, weights } = arrays;
  const mark = stackTop();
  const addresses = new Addresses();
  functions().forward(planOf(layout, arrays, addresses, []), scaleOf(layout));
  addresses.deliver(out, ...(weights ? [weights] : []));
  rewind(mark);
}

/** The cotangents of q, k and v, see `Kernels.attentionBackward`. */
export function attentionBackward(
  layout: AttentionLayout,
  arrays: AttentionArrays,
  g: Floats,
  cotangents: AttentionCotangents,
): void {
  if (!isFast(layout, arrays, 2)) return readableBackward(layout, arrays, g, cotangents);
  const mark = stackTop();
  const addresses = new Addresses();
  addresses.of(arrays.out);
  if (arrays.weights) addresses.of(arrays.weights);
  const plan = planOf(layout, arrays, addresses, [
    addresses.of(g),
    addresses.for(cotangents.q) + 4 * layout.q.start,
    addresses.for(cotangents.k) + 4 * layout.k.start,
    addresses.for(cotangents.v) + 4 * layout.v.start,
  ]);
  functions().backward(plan, scaleOf(layout));
  addresses.deliver(cotangents.q, cotangents.k, cotangents.v);
  rewind(mark);
}
