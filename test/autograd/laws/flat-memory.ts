import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/**
 * Bytes of objects and array buffers that are still reachable. A collection frees array buffers in the background, and
 * the next one waits for that: so it is done twice before the figures are read.
 */
function held(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** After a warm-up of a tenth of the steps, the rest of them add less than `slack` bytes to what is held. */
export function expectFlatMemory(steps: number, step: (at: number) => void, slack = 400_000): void {
  const warm = Math.ceil(steps / 10);
  for (let at = 0; at < warm; at++) step(at);
  const before = held();
  for (let at = warm; at < steps; at++) step(at);
  expect(held() - before).toBeLessThan(slack);
}
