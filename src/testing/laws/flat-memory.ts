import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Comparison } from "../comparison.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";

/** Options of {@link checkFlatMemory}. */
export interface FlatMemoryOptions {
  /** Steps in all, of which the first tenth is a warm-up. Default 1000. */
  readonly steps?: number;
  /** Bytes that the steps after the warm-up may add together. Default 400,000. */
  readonly slack?: number;
}

/** How often the steps are repeated before what they add is called a leak. */
const attempts = 3;

/**
 * After a warm-up of a tenth of the steps, the rest of them add no more than `slack` bytes to the objects and array buffers that are
 * still reachable. Steps that add more are done again, up to twice: what the engine keeps of its own (compiled code, type
 * feedback) comes to an end, a leak goes on. Node needs no flag: unless it was started with `--expose-gc`, the collector is taken from a context that is made
 * while that flag is set. The error and the tolerance of the result are in bytes.
 */
export function checkFlatMemory(
  step: (at: number) => void,
  { steps = 1000, slack = 400_000 }: FlatMemoryOptions = {},
): LawResult {
  const comparison = new Comparison("FlatMemory");
  const warm = Math.ceil(steps / 10);
  for (let at = 0; at < warm; at++) step(at);
  let growth = Infinity;
  for (let attempt = 0; attempt < attempts && growth > slack; attempt++) {
    const before = held();
    for (let at = warm; at < steps; at++) step(at + attempt * (steps - warm));
    growth = held() - before;
  }
  comparison.error("bytes", slack, Math.max(0, growth), () => ({
    where: `memory held after ${steps - warm} steps`,
    expected: `at most ${slack} bytes more than before them`,
    found: `${growth} bytes more, ${Math.round(growth / (steps - warm))} a step`,
  }));
  return comparison.result();
}

let collect: (() => void) | undefined;

/** A full, synchronous garbage collection. The inspector's is none: it happens later. */
function collector(): () => void {
  if (globalThis.gc) return () => void globalThis.gc!();
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as () => void;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}

/**
 * Bytes of objects and array buffers that are still reachable. A collection frees array buffers in the background, and
 * the next one waits for that: so it is done twice before the figures are read.
 */
function held(): number {
  collect ??= collector();
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** {@link checkFlatMemory}, throwing `E_LAW` when it does not hold. */
export function expectFlatMemory(step: (at: number) => void, options?: FlatMemoryOptions): LawResult {
  return required(checkFlatMemory(step, options));
}
