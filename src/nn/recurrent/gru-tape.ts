import { Tensor } from "../../autograd/index.js";
import {
  kernels,
  NDArray,
  reserve,
  type FloatDType,
  type Floats,
  type GruSizes,
} from "../../tensor/index.js";

/** What the forward pass of a GRU layer leaves for the backward pass; see `GruForward` for the arrays. */
export interface GruTape {
  readonly sizes: GruSizes;
  readonly dtype: FloatDType;
  readonly gates: NDArray;
  readonly before: NDArray;
  readonly inner: NDArray;
}

/** What steps leave for the inputs and weights on the way back, see `GruBackward`. */
export interface GateFlow {
  readonly inward: NDArray;
  readonly onward: NDArray;
}

/** An array of a tape, its elements not set yet; in a scope it is gone when that ends. */
function tapeArray(time: number, batch: number, width: number, dtype: FloatDType): NDArray {
  return new NDArray([time, batch, width], dtype, reserve(dtype, time * batch * width));
}

/** Starts a tape: the inputs of all steps, x `[time, batch, inputs]`, projected in one product. */
export function startTape(x: NDArray, weightIh: NDArray): GruTape {
  const [time, batch, inputs] = x.shape as [number, number, number];
  const dtype = x.dtype as FloatDType;
  const hidden = weightIh.shape[0]! / 3;
  const array = (width: number): NDArray => tapeArray(time, batch, width, dtype);
  const gates = array(3 * hidden);
  multiply([elements(x), inputs, false], [elements(weightIh), inputs, true], elements(gates));
  return { sizes: { time, batch, hidden }, dtype, gates, before: array(hidden), inner: array(hidden) };
}

/** Room for what `steps` steps of a tape leave. */
export function gateFlow({ sizes: { batch, hidden }, dtype }: GruTape, steps: number): GateFlow {
  const array = (): NDArray => tapeArray(steps, batch, 3 * hidden, dtype);
  return { inward: array(), onward: array() };
}

/** The elements of steps `from` to before `to` of `[time, batch, width]`; of all when left out. */
export function elements(array: NDArray, from?: number, to?: number): Floats {
  const data = array.data as Floats;
  if (from === undefined || to === undefined) return data;
  const step = array.shape[1]! * array.shape[2]!;
  return data.subarray(from * step, to * step);
}

/** Steps are summed up in groups of about so many rows: what they leave is still in the processor's cache then. */
const rowsAtOnce = 256;

/**
 * The groups in which what `time` steps leave is summed up, the last one first. With and without a change between the steps the
 * order is the same, so that a change that changes nothing leaves the same bits.
 */
export function stepGroups(
  time: number,
  batch: number,
): readonly { readonly from: number; readonly to: number }[] {
  const length = Math.min(time, Math.max(1, Math.floor(rowsAtOnce / Math.max(1, batch))));
  const count = Math.ceil(time / length);
  return Array.from({ length: count }, (_, i) => ({
    from: Math.max(0, time - (i + 1) * length),
    to: time - i * length,
  }));
}

/** Some steps of `[time, batch, width]`, rising; the array itself when they are all. */
export function onlySteps(array: NDArray, steps: readonly number[]): NDArray {
  const [time, batch, width] = array.shape as [number, number, number];
  if (steps.length === time) return array;
  const out = tapeArray(steps.length, batch, width, array.dtype as FloatDType);
  for (const [at, t] of steps.entries()) elements(out, at, at + 1).set(elements(array, t, t + 1));
  return out;
}

/** What some steps leave, and what it is to be multiplied by: the states before them, and x. */
export interface StepsLeft {
  readonly inward: Floats;
  readonly onward: Floats;
  readonly before: Floats;
  readonly x: Floats;
}

/** The cotangents of W_ih, W_hh and, with biases, b_ih and b_hh, those that are needed: sums over steps. */
export class WeightCotangents {
  readonly #sums: readonly (NDArray | undefined)[];
  #begun = false;

  constructor(weights: readonly Tensor[], needs: readonly boolean[]) {
    this.#sums = weights.map(({ shape, array, size }, i) => {
      const dtype = array.dtype as FloatDType;
      return needs[i] ? new NDArray(shape, dtype, reserve(dtype, size)) : undefined;
    });
  }

  /** Adds what some steps left. */
  add({ inward, onward, before, x }: StepsLeft): void {
    const [weightIh, weightHh, biasIh, biasHh] = this.#sums;
    if (weightIh) this.#addProduct(inward, x, weightIh);
    if (weightHh) this.#addProduct(onward, before, weightHh);
    if (biasIh) this.#addColumns(inward, biasIh);
    if (biasHh) this.#addColumns(onward, biasHh);
    this.#begun = true;
  }

  /** The sums. */
  tensors(): (Tensor | undefined)[] {
    return this.#sums.map((sum) => sum && new Tensor(sum));
  }

  #addProduct(flow: Floats, factor: Floats, sum: NDArray): void {
    const [width, columns] = sum.shape as [number, number];
    multiply([flow, width, true], [factor, columns, false], elements(sum), this.#begun);
  }

  #addColumns(flow: Floats, sum: NDArray): void {
    const data = elements(sum);
    const part = this.#begun ? reserve(sum.dtype as FloatDType, data.length) : data;
    const along = { outer: 1, length: flow.length / data.length, inner: data.length };
    kernels().reduce("sum", along, flow, part);
    if (this.#begun) for (let j = 0; j < data.length; j++) data[j] = data[j]! + part[j]!;
  }
}

/** The cotangents of x `[…, inputs]` from those of x·W_ihᵀ, to `out`. */
export function inputCotangents(inward: Floats, weightIh: NDArray, out: Floats): void {
  const [width, inputs] = weightIh.shape as [number, number];
  multiply([inward, width, false], [elements(weightIh), inputs, false], out);
}

const alone = new Int32Array(1);

/** A matrix: its elements, the width of a stored row, and whether it is stored transposed. */
type Factor = readonly [elements: Floats, width: number, transposed: boolean];

/** out = A·B, or out + A·B. */
function multiply(
  [a, widthA, transposeA]: Factor,
  [b, widthB, transposeB]: Factor,
  out: Floats,
  accumulate = false,
): void {
  if (out.length === 0) return;
  const [m, k] = transposeA ? [widthA, a.length / widthA] : [a.length / widthA, widthA];
  const n = transposeB ? b.length / widthB : widthB;
  const form = { m, k, n, transposeA, transposeB, offsetsA: alone, offsetsB: alone, accumulate };
  kernels().product(form, a, b, out);
}
