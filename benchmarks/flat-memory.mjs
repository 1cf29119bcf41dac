/**
 * Whether memory stays flat: the resident size over 10,000 training steps of a GRU and of a transformer, in scopes, and over a
 * million small operations in one synchronous loop without a scope. Prints the size after a tenth and after half of the
 * steps, and the most it rises above each. Ends with 1 when one of them rises by more than 16 MiB after the first tenth.
 * `--steps N` for another number.
 */
import { parseArgs } from "node:util";
import { tensor } from "../dist/index.js";
import { gruStep, transformerStep } from "./models.mjs";

const { values } = parseArgs({ options: { steps: { type: "string", default: "10000" } } });
const steps = Number(values.steps);
const MiB = 2 ** 20;

function watch(name, count, work) {
  const sizes = [];
  for (let i = 0; i <= count; i++) {
    work();
    if (i % Math.ceil(count / 200) === 0) sizes.push(process.memoryUsage().rss / MiB);
  }
  const riseAfter = (share) => {
    const rest = sizes.slice(Math.floor(share * sizes.length));
    return { base: rest[0], rise: Math.max(...rest) - rest[0] };
  };
  const [tenth, half] = [riseAfter(0.1), riseAfter(0.5)];
  const text = ({ base, rise }) => `${base.toFixed(1)} MiB, at most ${rise.toFixed(1)} MiB more`;
  process.stdout.write(`${name}, ${count} times: after a tenth ${text(tenth)}; after half ${text(half)}\n`);
  return tenth.rise;
}

const rises = [
  watch("GRU training step", steps, gruStep()),
  watch("transformer training step", steps, transformerStep(64, 32, 64)),
];
const [a, b] = [tensor([1, 2, 3, 4], { requiresGrad: true }), tensor([1, 2, 3, 4])];
rises.push(watch("recorded a + b of 4 elements, no scope", 100 * steps, () => a.add(b)));
process.exitCode = rises.every((rise) => rise <= 16) ? 0 : 1;
