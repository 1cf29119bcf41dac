import {
  addressFor,
  addressOf,
  deliver,
  hasRoom,
  isTemporary,
  kernels,
  memory,
  push,
  rewind,
  stackTop,
  wasmModule,
  type Floats,
} from "../../../tensor/index.js";
import type { PivotLaw } from "../settings.js";
import type { BatchPlan } from "./batch.js";
import { pointScale } from "./points.js";
import type { Tape } from "./tape.js";
import { wasm } from "./wasm/attention.js";

/** The functions of assembly/attention: sizes and addresses, 0 for none. */
interface AttentionModule {
  layOut(
    queries: number,
    keys: number,
    width: number,
    channels: number,
    rank: number,
    scratch: number,
  ): number;
  setBatch(problems: number, scale: number): void;
  bindTape(
    rows: number,
    columns: number,
    factor: number,
    lower: number,
    keyWeights: number,
    mixed: number,
    normaliser: number,
    raw: number,
    squaredNorms: number,
    pivots: number,
    present: number,
    exact: number,
    floored: number,
    clamped: number,
  ): void;
  forward(
    q: number,
    k: number,
    v: number,
    queryMask: number,
    queryMaskRows: number,
    keyMask: number,
    keyMaskRows: number,
    law: number,
    uniforms: number,
    held: number,
    ridge: number,
    ranks: number,
    states: number,
    out: number,
  ): void;
  floored(): number;
  clamped(): number;
  backward(
    v: number,
    cotangent: number,
    ranks: number,
    states: number,
    dq: number,
    dk: number,
    dv: number,
  ): void;
}

const functions = wasmModule<AttentionModule>(wasm);

/** As numbered in assembly/passes/pivots. */
const lawNumbers: Readonly<Record<PivotLaw, number>> = { exp: 0, gaussian: 1, uniform: 2, greedy: 3 };

/** The forward pass in one call of the fast kernel; false, with nothing done, when that is not to be used. */
export function fastForward(
  tape: Tape,
  plan: BatchPlan,
  { q, k, v }: { readonly q: Floats; readonly k: Floats; readonly v: Floats },
  out: Floats,
): boolean {
  if (!isFast(tape, q.length + k.length + v.length + out.length)) return false;
  const mark = stackTop();
  const kernel = functions();
  const at = bind(kernel, tape, false);
  const to = addressFor(out as Float32Array);
  const { pivots, queryMask, keyMask } = plan;
  const held = "held" in pivots;
  kernel.forward(
    addressOf(q as Float32Array),
    addressOf(k as Float32Array),
    addressOf(v as Float32Array),
    queryMask === undefined ? 0 : copyOf(queryMask.tokens),
    queryMask?.rows ?? 0,
    keyMask === undefined ? 0 : copyOf(keyMask.tokens),
    keyMask?.rows ?? 0,
    held ? 0 : lawNumbers[pivots.law],
    held ? 0 : copyOf(pivots.uniforms),
    held ? copyOf(pivots.held) : 0,
    plan.ridge,
    at(tape.ranks),
    at(tape.states),
    to,
  );
  tape.flooredCount = kernel.floored();
  tape.clampedCount = kernel.clamped();
  deliver(out as Float32Array, to);
  if (!isTemporary(tape.block)) {
    tape.block.set(new Float64Array(memory().buffer, at(tape.block), tape.block.length));
  }
  rewind(mark);
  return true;
}

/** The backward pass in one call of the fast kernel; false, with nothing done, when that is not to be used. */
export function fastBackward(
  tape: Tape,
  v: Floats,
  cotangent: Floats,
  grads: { readonly dq: Floats; readonly dk: Floats; readonly dv: Floats },
): boolean {
  const [dq, dk, dv] = [grads.dq, grads.dk, grads.dv] as Float32Array[] as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  if (!isFast(tape, cotangent.length + dq.length + dk.length + v.length + dv.length)) return false;
  const mark = stackTop();
  const kernel = functions();
  const at = bind(kernel, tape, true);
  const [toQ, toK, toV] = [addressFor(dq), addressFor(dk), addressFor(dv)];
  kernel.backward(
    addressOf(v as Float32Array),
    addressOf(cotangent as Float32Array),
    at(tape.ranks),
    at(tape.states),
    toQ,
    toK,
    toV,
  );
  deliver(dq, toQ);
  deliver(dk, toK);
  deliver(dv, toV);
  rewind(mark);
  return true;
}

/** Room for what {@link bind} and the rounding of pieces may take beside arrays: masks, and tables of numbers. */
const spare = 2 ** 20;

function isFast(tape: Tape, elements: number): boolean {
  if (!tape.single || tape.problems === 0 || kernels().name !== "simd") return false;
  const { queries, keys, width, channels } = tape.size;
  const padded = (queries + keys + 4) * (width + 4) + (queries + keys + 4 * tape.rank) * (channels + 8);
  const scratch = 16 * (padded + tape.rank * (width + channels + 8) + 16 * (queries + keys));
  return hasRoom(8 * tape.block.length + 4 * elements + scratch + spare + 24 * tape.problems * tape.rank);
}

/** Lays out the working space and binds the tape; returns where an array of the tape lies in linear memory. */
function bind(kernel: AttentionModule, tape: Tape, filled: boolean): (field: Block) => number {
  const { queries, keys, width, channels } = tape.size;
  const scratch = push(kernel.layOut(queries, keys, width, channels, tape.rank, 0));
  kernel.layOut(queries, keys, width, channels, tape.rank, scratch);
  kernel.setBatch(tape.problems, pointScale(width, true));
  const { block, floats } = tape;
  const base = isTemporary(block) ? block.byteOffset : filled ? copyOf(block) : push(block.byteLength);
  const at = (field: Block): number => base + (field.byteOffset - block.byteOffset);
  kernel.bindTape(
    at(floats.rows),
    at(floats.columns),
    at(floats.factor),
    at(floats.lower),
    at(floats.keyWeights),
    at(floats.mixed),
    at(floats.normaliser),
    at(floats.raw),
    at(tape.squaredNorms),
    at(tape.pivots),
    at(tape.present),
    at(tape.exact),
    at(tape.floored),
    at(tape.clamped),
  );
  return at;
}

type Block = Floats | Int32Array | Uint8Array;

/** The address of a copy on the stack. */
function copyOf(array: Block): number {
  const address = push(array.byteLength);
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  new Uint8Array(memory().buffer, address, array.byteLength).set(bytes);
  return address;
}
