import { allocate, type DType, type Elements, type FloatDType, type Floats } from "../dtype.js";
import { linearMemory, type LinearMemory } from "./linear-memory.js";

/*
 * A stack in linear memory. An open scope puts the results of operations there, so that kernels need not copy them, and takes
 * all of it back at its end. Outside a scope only the operands of a running kernel lie here.
 */

/** What holds storage that a scope takes back. */
export interface Tenant {
  /** Whether its storage lies in linear memory. */
  readonly isTemporary: boolean;
  /** Forgets the storage; whoever asks for it from then on gets an error. */
  release(): void;
}

/** Where the stack stood when a scope began. */
export interface ArenaMark {
  readonly top: number;
  readonly tenants: number;
}

/** Arrays of fewer elements stay on the JavaScript heap: a view of linear memory would cost more than it saves. */
const fewest = 64;

/** Kept free for the operands of kernels, so that a full scope spills to the heap before kernels run out of room. */
const spare = 64 * 2 ** 20;

const bytesOf: Readonly<Record<DType, number>> = { float32: 4, float64: 8, int32: 4, bool: 1 };

let linear: LinearMemory | undefined;
let top = 0;
let highest = 0;
let scopes = 0;
let poisoned = false;
const tenants: Tenant[] = [];

/** The linear memory of this thread, its stack empty at the first call. */
export function memory(): LinearMemory {
  if (!linear) {
    linear = linearMemory();
    top = linear.start;
  }
  return linear;
}

/**
 * Storage for the result of an operation that writes every element of it: what it holds at first is not defined. In a scope
 * it lies in linear memory and lives until the scope ends, otherwise on the heap. What must live longer (state,
 * caches) is made by `allocate`.
 */
export function reserve(dtype: FloatDType, length: number): Floats;
export function reserve(dtype: DType, length: number): Elements;
export function reserve(dtype: DType, length: number): Elements {
  if (scopes === 0 || length < fewest || !linear) return allocate(dtype, length);
  const { buffer, end } = linear;
  const address = top;
  const after = address + aligned(length * bytesOf[dtype]);
  if (after > end - spare) return allocate(dtype, length);
  top = after;
  if (top > highest) highest = top;
  switch (dtype) {
    case "float32":
      return new Float32Array(buffer, address, length);
    case "float64":
      return new Float64Array(buffer, address, length);
    case "int32":
      return new Int32Array(buffer, address, length);
    case "bool":
      return new Uint8Array(buffer, address, length);
  }
}

/** Addresses are multiples of 16 bytes, one vector. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

/** Whether an array lies on the stack in linear memory, and so lives no longer than the scope that it was made in. */
export function isTemporary(elements: Elements): boolean {
  // Asking a short array for its buffer would move it out of the JavaScript object that holds it.
  return (
    linear !== undefined &&
    elements.length >= fewest &&
    elements.buffer === linear.buffer &&
    elements.byteOffset >= linear.start
  );
}

/** Whether an array, also a short one, is part of linear memory: of its stack or lasting. Slower than {@link isTemporary}. */
export function liesInMemory(elements: Elements): boolean {
  return linear !== undefined && elements.buffer === linear.buffer;
}

/** Begins a scope. */
export function openArena(): ArenaMark {
  if (typeof WebAssembly === "object") memory();
  scopes++;
  return { top, tenants: tenants.length };
}

/** Ends the scope that `mark` began: everything made since then is taken back. */
export function closeArena(mark: ArenaMark): void {
  scopes--;
  for (let at = tenants.length - 1; at >= mark.tenants; at--) {
    const tenant = tenants[at]!;
    if (tenant.isTemporary) tenant.release();
  }
  tenants.length = mark.tenants;
  if (poisoned && linear) new Uint8Array(linear.buffer).fill(0xff, mark.top, top);
  top = mark.top;
}

/** Whether a scope is open. */
export function inScope(): boolean {
  return scopes > 0;
}

/** Has the scope that is open take back the storage of `tenant` at its end. */
export function enrol(tenant: Tenant): void {
  tenants.push(tenant);
}

/** For tests: memory that a scope gives back is filled with NaN, so that whoever still reads it is found out. */
export function poisonArena(on: boolean): void {
  poisoned = on;
}

/** Where the stack stands; to be given back to {@link rewind} when a kernel is done with its operands. */
export function stackTop(): number {
  return top;
}

/** Takes back what was pushed since {@link stackTop} gave `mark`. */
export function rewind(mark: number): void {
  top = mark;
}

/** Whether `bytes` more, in up to 32 pieces, can be pushed. */
export function hasRoom(bytes: number): boolean {
  return top + bytes + 32 * 16 <= memory().end;
}

/** Pushes room for `bytes`, not cleared, and returns its address. Ask {@link hasRoom} first. */
export function push(bytes: number): number {
  const address = top;
  top += aligned(bytes);
  if (top > highest) highest = top;
  return address;
}

/** The address of the elements: where they lie in linear memory, or that of a copy pushed on the stack. */
export function addressOf(x: Float32Array): number {
  const { length } = x;
  const { buffer, singles } = memory();
  if (length >= fewest && x.buffer === buffer) return x.byteOffset;
  const address = push(length * 4);
  singles.set(x, address >> 2);
  return address;
}

/** The address for an output of that size: its own when it lies in linear memory, or room on the stack. See {@link deliver}. */
export function addressFor(out: Float32Array): number {
  const { length } = out;
  if (length >= fewest && out.buffer === memory().buffer) return out.byteOffset;
  return push(length * 4);
}

/** Copies an output from where {@link addressFor} put it to where it belongs, if that is elsewhere. */
export function deliver(out: Float32Array, address: number): void {
  const { length } = out;
  const { buffer, singles } = memory();
  if (length >= fewest && out.buffer === buffer) return;
  const from = address >> 2;
  if (length < 32) for (let i = 0; i < length; i++) out[i] = singles[from + i]!;
  else out.set(singles.subarray(from, from + length));
}

/** Forgets how high the stack has stood. */
export function resetHighWaterMark(): void {
  highest = top;
}

/** Bytes of the stack in use when it stood highest since {@link resetHighWaterMark}. */
export function highWaterMark(): number {
  return linear ? highest - linear.start : 0;
}
