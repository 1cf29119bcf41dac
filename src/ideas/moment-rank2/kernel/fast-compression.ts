import {
  addressFor,
  addressOf,
  deliver,
  hasRoom,
  push,
  reserve,
  rewind,
  stackTop,
  wasmModule,
  type Floats,
} from "../../../tensor/index.js";
import type { Compression, CompressionTape, Derivative, Pull } from "./compression.js";
import { wasm } from "./wasm/compression.js";

interface CompressionModule {
  compress(
    h: number,
    batch: number,
    basis: number,
    count: number,
    rank: number,
    removed: boolean,
    out: number,
    factors: number,
    s: number,
    work: number,
  ): void;
  pull(
    g: number,
    batch: number,
    basis: number,
    count: number,
    rank: number,
    before: boolean,
    after: boolean,
    derivative: number,
    bound: number,
    factors: number,
    out: number,
    work: number,
  ): void;
}

const functions = wasmModule<CompressionModule>(wasm);

/** The side of the matrices that the kernel is made for, and the numbers in one. */
const side = 8;
const size = side * side;

/** Numbers that the decompositions of four matrices take: u, s and v. */
const factorsOfFour = 4 * (2 * size + side);

/** Bytes of room to work in for `count` moments. */
function workBytes(count: number): number {
  return 6 * 1024 + 16 * count;
}

/** Matrices that are worked on in one call, a multiple of four: what must be copied for it always finds room. */
const most = 4096;

/** Whether the WebAssembly kernel can compress these matrices: 8×8, float32, and there is room for them. */
export function isFast({ rows, columns, elements }: Compression, h: Floats): boolean {
  if (rows !== side || columns !== side || !(h instanceof Float32Array) || h.length === 0) return false;
  const numbers = Math.min(h.length, most * size);
  return hasRoom(4 * (5 * numbers + 4 * factorsOfFour + elements.length) + workBytes(elements.length));
}

/** As `compress` of compression.ts, four matrices at a time. */
export function fastTape(compression: Compression, h: Floats, out: Float32Array): CompressionTape {
  const batch = h.length / size;
  const factors = reserve("float32", Math.ceil(batch / 4) * factorsOfFour) as Float32Array;
  const s = reserve("float32", batch * side) as Float32Array;
  for (let first = 0; first < batch; first += most) {
    compressSlice(
      compression,
      sliceOf(h as Float32Array, size, first),
      sliceOf(out, size, first),
      sliceOf(factors, factorsOfFour / 4, first),
      sliceOf(s, side, first),
    );
  }
  return {
    s,
    k: side,
    pull: (g, options, into) => {
      for (let first = 0; first < batch; first += most) {
        pullSlice(
          compression,
          options,
          sliceOf(factors, factorsOfFour / 4, first),
          sliceOf(g as Float32Array, size, first),
          sliceOf(into as Float32Array, size, first),
        );
      }
    },
  };
}

/** What belongs to the matrices from `first` on, up to {@link most} of them, `each` numbers for one. */
function sliceOf(x: Float32Array, each: number, first: number): Float32Array {
  return x.length <= most * each ? x : x.subarray(first * each, (first + most) * each);
}

function compressSlice(
  { count, rank, ofRemainder, elements }: Compression,
  h: Float32Array,
  out: Float32Array,
  factors: Float32Array,
  s: Float32Array,
): void {
  const mark = stackTop();
  const to = addressFor(out);
  const factorsTo = addressFor(factors);
  const spectrumTo = addressFor(s);
  functions().compress(
    addressOf(h),
    h.length / size,
    addressOf(elements as Float32Array),
    count,
    rank,
    ofRemainder && count > 0,
    to,
    factorsTo,
    spectrumTo,
    push(workBytes(count)),
  );
  deliver(out, to);
  deliver(factors, factorsTo);
  deliver(s, spectrumTo);
  rewind(mark);
}

function pullSlice(
  { count, rank, elements }: Compression,
  { derivative, before, after }: Pull,
  factors: Float32Array,
  g: Float32Array,
  out: Float32Array,
): void {
  const mark = stackTop();
  const to = addressFor(out);
  functions().pull(
    addressOf(g),
    g.length / size,
    addressOf(elements as Float32Array),
    count,
    rank,
    before,
    after,
    codeOf(derivative),
    typeof derivative === "number" ? derivative : 0,
    addressOf(factors),
    to,
    push(workBytes(count)),
  );
  deliver(out, to);
  rewind(mark);
}

function codeOf(derivative: Derivative): number {
  return derivative === "straight-through" ? 2 : derivative === "tangent" ? 1 : 0;
}
