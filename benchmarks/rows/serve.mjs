/**
 * One side of the benchmark's conversation: a program that knows some rows and measures one whenever it is asked. A request is a
 * line `{"row", "budget"}`, the answer a line `{"milliseconds"}` of one step, the mean over as many steps as fit in the
 * budget, or `{"missing": reason}`. The first request of a row prepares and warms it up. benchmarks/peers/torch_rows.py speaks
 * the same.
 */
import { createInterface } from "node:readline";

/**
 * `rows` maps a name to a function that prepares the work and returns a step, which may be asynchronous; one that does the
 * work several times says so in its property `times`.
 */
export async function serve(rows) {
  const ready = new Map();
  for await (const line of createInterface({ input: process.stdin })) {
    const { row, budget } = JSON.parse(line);
    let answer;
    try {
      if (!rows[row]) answer = { missing: "not written for this framework" };
      else {
        if (!ready.has(row)) ready.set(row, await warm(await rows[row](), budget));
        answer = { milliseconds: await measure(ready.get(row), budget) };
      }
    } catch (error) {
      answer = { missing: String(error?.message ?? error).split("\n", 1)[0] };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

/** Runs a step for twenty budgets, so that engines have compiled what they will compile. */
async function warm(step, budget) {
  const end = performance.now() + 20 * budget;
  do await step();
  while (performance.now() < end);
  return step;
}

async function measure(step, budget) {
  let steps = 0;
  const begin = performance.now();
  let now = begin;
  for (let batch = 1; now - begin < budget; batch *= 2) {
    for (let i = 0; i < batch; i++) {
      const pending = step();
      if (pending instanceof Promise) await pending;
    }
    steps += batch;
    now = performance.now();
  }
  return (now - begin) / (steps * (step.times ?? 1));
}
