/**
 * Whether memory stays flat: the resident size over 10,000 training steps of a GRU and of a transformer, in scopes, and over a
 * million small operations in one synchronous loop without a scope. Prints the size after warm-up and the most it
 * rises above it; ends with 1 when a training rises by more than 16 MiB. `--steps N` for another number.
 */
import { parseArgs } from "node:util";
import { tensor } from "../dist/index.js";
import { gruStep, transformerStep } from "./models.mjs";

const { values } = parseArgs({ options: { steps: { type: "string", default: "10000" } } });
const steps = Number(values.steps);
const MiB = 2 ** 20;

function watch(name, count, work) {
  const warm = Math.ceil(count / 10);
  let base = 0;
  let greatest = 0;
  for (let i = 0; i < count; i++) {
    work();
    if (i < warm || i % Math.ceil(count / 200) !== 0) continue;
    const { rss } = process.memoryUsage();
    base ||= rss;
    greatest = Math.max(greatest, rss);
  }
  const rise = (greatest - base) / MiB;
  process.stdout.write(
    `${name}, ${count} times: ${(base / MiB).toFixed(1)} MiB after warm-up, at most ${rise.toFixed(1)} MiB more\n`,
  );
  return rise;
}

const rises = [
  watch("GRU training step", steps, gruStep()),
  watch("transformer training step", steps, transformerStep(64, 32, 64)),
];
const [a, b] = [tensor([1, 2, 3, 4], { requiresGrad: true }), tensor([1, 2, 3, 4])];
watch("recorded a + b of 4 elements, no scope", 100 * steps, () => a.add(b));
process.exitCode = rises.every((rise) => rise <= 16) ? 0 : 1;
