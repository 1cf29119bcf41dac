import type { Floats } from "../../dtype.js";
import {
  addressFor,
  addressOf,
  deliver,
  hasRoom,
  memory,
  push,
  reserve,
  rewind,
  stackTop,
} from "../../memory/index.js";
import type { GruBackward, GruForward, GruSizes, GruWeight } from "../kernels.js";
import { gruBackward as readableBackward } from "../reference/gru-backward.js";
import { gruForward as readableForward } from "../reference/gru-forward.js";
import { wasm } from "./wasm/gru.js";
import { wasmModule } from "./wasm-module.js";

interface Functions {
  packForward(hidden: number, weight: number, panels: number): void;
  packBackward(hidden: number, weight: number, panels: number): void;
  forward(
    time: number,
    batch: number,
    hidden: number,
    panels: number,
    biasIh: number,
    biasHh: number,
    gates: number,
    before: number,
    inner: number,
    states: number,
    products: number,
  ): void;
  backward(
    time: number,
    batch: number,
    hidden: number,
    total: number,
    panels: number,
    cotangent: number,
    carry: number,
    gates: number,
    before: number,
    inner: number,
    inward: number,
    onward: number,
    start: number,
    direct: number,
    products: number,
  ): void;
}

const functions = wasmModule<Functions>(wasm);

/** Fewer hidden units are left to the readable kernels. */
const fewestUnits = 4;

/** The elements of a weight laid out as panels, one dimension of it rounded up to panels of eight, and what may be written past them. */
function panelElements(columns: number, terms: number): number {
  return Math.ceil(columns / 8) * 8 * terms + 24;
}

/** W_hh, and a copy of it laid out for the products of the steps. */
export function gruWeight(hidden: number, weight: Floats): GruWeight {
  const elements = panelElements(3 * hidden, hidden);
  if (!(weight instanceof Float32Array) || hidden < fewestUnits || !hasRoom(4 * (elements + weight.length)))
    return { weight };
  const packed = reserve("float32", elements) as Float32Array;
  const mark = stackTop();
  const to = addressFor(packed);
  functions().packForward(hidden, addressOf(weight), to);
  deliver(packed, to);
  rewind(mark);
  return { weight, packed };
}

/** Negative zeros, which change no sum, in the place of both biases. */
function noBiases(length: number): [number, number] {
  const address = push(4 * length);
  memory().singles.fill(-0, address >> 2, (address >> 2) + length);
  return [address, address];
}

/** See `Kernels.gruForward`. */
export function gruForward(sizes: GruSizes, arrays: GruForward): void {
  const { time, batch, hidden } = sizes;
  const { packed } = arrays.weight;
  const states = arrays.states as Float32Array;
  const elements = 6 * states.length + (packed?.length ?? 0) + (3 * batch + 9) * hidden;
  if (!packed || !hasRoom(4 * elements)) return readableForward(sizes, arrays);
  const mark = stackTop();
  const address = (x: Floats): number => addressOf(x as Float32Array);
  const gates = address(arrays.gates);
  const before = address(arrays.before);
  const inner = addressFor(arrays.inner as Float32Array);
  const to = addressFor(states);
  const biases = [arrays.biasIh, arrays.biasHh] as Float32Array[];
  const [biasIh, biasHh] = arrays.biasIh ? biases.map(addressOf) : noBiases(3 * hidden);
  functions().forward(
    time,
    batch,
    hidden,
    addressOf(packed),
    biasIh!,
    biasHh!,
    gates,
    before,
    inner,
    to,
    push(12 * batch * hidden),
  );
  deliver(arrays.gates as Float32Array, gates);
  if (time > 1) deliver(arrays.before as Float32Array, before);
  deliver(arrays.inner as Float32Array, inner);
  deliver(states, to);
  rewind(mark);
}

/** See `Kernels.gruBackward`. */
export function gruBackward(sizes: GruSizes, arrays: GruBackward): void {
  const { time, batch, hidden } = sizes;
  const { cotangent, carry } = arrays;
  const panels = panelElements(hidden, 3 * hidden);
  const elements = cotangent.length + 11 * time * batch * hidden + panels + hidden * (3 * hidden + 4 * batch);
  if (!(cotangent instanceof Float32Array) || hidden < fewestUnits || !hasRoom(4 * elements))
    return readableBackward(sizes, arrays);
  const mark = stackTop();
  const address = (x: Floats): number => addressOf(x as Float32Array);
  const weight = push(4 * panels);
  functions().packBackward(hidden, address(arrays.weight), weight);
  const inward = addressFor(arrays.inward as Float32Array);
  const onward = addressFor(arrays.onward as Float32Array);
  const start = arrays.start ? addressFor(arrays.start as Float32Array) : 0;
  functions().backward(
    time,
    batch,
    hidden,
    arrays.total,
    weight,
    addressOf(cotangent) + 4 * arrays.first * hidden,
    carry ? address(carry) : 0,
    address(arrays.gates),
    address(arrays.before),
    address(arrays.inner),
    inward,
    onward,
    start,
    push(4 * batch * hidden),
    push(4 * batch * hidden),
  );
  deliver(arrays.inward as Float32Array, inward);
  deliver(arrays.onward as Float32Array, onward);
  if (arrays.start) deliver(arrays.start as Float32Array, start);
  rewind(mark);
}
