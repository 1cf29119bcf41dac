/**
 * The accuracy of the float32 functions, measured with every set of kernels: the greatest error in units of the last place
 * against float64 over every `--stride`-th bit pattern of float32, special values included, and whether the sets agree to the
 * bit. Writes docs/accuracy.md. Build first, then, for a minute or two:
 * node benchmarks/accuracy.mjs [--stride 1009]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { broadcastLayout, kernelSets } from "../dist/tensor/index.js";

const { values: options } = parseArgs({ options: { stride: { type: "string", default: "1009" } } });
const stride = Number(options.stride);
if (!(Number.isInteger(stride) && stride > 0))
  throw new Error(`--stride: expected a whole number, got ${options.stride}`);

const named = ["exp", "log", "log1p", "expm1", "sin", "cos", "tanh", "sigmoid", "softplus", "erf"];
const composed = ["gelu", "geluTanh", "geluSlope", "geluTanhSlope"];
const roundoff = 2 ** -24;
const chunk = 2 ** 16;
const sets = [...kernelSets.values()];
const [reference] = sets;

/** One unit of the last place of a float32 next to a real number. */
function unit(exact) {
  return 2 ** (Math.max(-126, Math.floor(Math.log2(Math.abs(exact)))) - 23);
}

/** The error in units of the last place; 0 where both are NaN or the same infinity, ∞ where only one is. */
function ulps(actual, exact) {
  const rounded = Math.fround(exact);
  if (Object.is(actual, rounded))
    return Number.isFinite(rounded) ? Math.abs(actual - exact) / unit(exact || 1) : 0;
  if (!Number.isFinite(actual) || !Number.isFinite(rounded)) return Infinity;
  return Math.abs(actual - exact) / unit(exact || 2 ** -149);
}

/** The error in u(1 + |value|), u = 2^−24. */
function relativeToOne(actual, exact) {
  const error = ulps(actual, exact);
  if (error === 0 || error === Infinity) return error;
  return Math.abs(actual - exact) / (roundoff * (1 + Math.abs(exact)));
}

/** Arrays of float32 over the whole range. */
function* inputs() {
  for (let pattern = 0; pattern < 2 ** 32; pattern += stride * chunk) {
    const count = Math.min(chunk, Math.ceil((2 ** 32 - pattern) / stride));
    const bits = Uint32Array.from({ length: count }, (_, i) => pattern + i * stride);
    yield new Float32Array(bits.buffer);
  }
  yield Float32Array.of(0, -0, 1, -1, Infinity, -Infinity, NaN, 2 ** -149, -(2 ** -149), 2 ** -126);
}

/** The worst error over pairs of arrays (arguments, exact values), and the number of results that differ between the sets. */
function measure(calls, error) {
  const worst = { error: 0, at: "–" };
  let points = 0;
  let differing = 0;
  for (const { exact, outputs, label } of calls) {
    points += exact.length;
    for (let i = 0; i < exact.length; i++) {
      const actual = outputs[0][i];
      if (outputs.some((output) => !Object.is(output[i], actual))) differing++;
      const found = error(actual, exact[i]);
      if (found > worst.error) Object.assign(worst, { error: found, at: label(i) });
    }
  }
  return { ...worst, points, differing };
}

function* unaryCalls(name) {
  for (const x of inputs()) {
    const exact = new Float64Array(x.length);
    reference.unary(name, Float64Array.from(x), exact);
    const outputs = sets.map((set) => {
      const out = new Float32Array(x.length);
      set.unary(name, x, out);
      return out;
    });
    yield { exact, outputs, label: (i) => String(x[i]) };
  }
}

/** Bases over the whole range with exponents that keep many results in it. */
function* powCalls() {
  const layout = broadcastLayout([chunk], [chunk], [1]);
  for (const x of inputs()) {
    if (x.length !== chunk) continue;
    for (const power of [-1.5, -1, 0.03125, 0.5, 2, 3, 4 / 3, 25].map(Math.fround)) {
      const exact = Float64Array.from(x, (base) => Math.pow(base, power));
      const outputs = sets.map((set) => {
        const out = new Float32Array(chunk);
        set.binary("pow", layout, x, Float32Array.of(power), out);
        return out;
      });
      yield { exact, outputs, label: (i) => `${x[i]} ^ ${power}` };
    }
  }
}

function row(name, { error, at, points, differing }) {
  const equal = differing === 0 ? "yes" : `no, ${differing} differ`;
  process.stdout.write(`${name}: ${error.toFixed(2)} at ${at}, equal: ${equal}\n`);
  return { text: `| \`${name}\` | ${error.toFixed(2)} | ${at} | ${equal} |`, points, differing };
}

const first = [
  ...named.map((name) => row(name, measure(unaryCalls(name), ulps))),
  row("pow", measure(powCalls(), ulps)),
];
const second = composed.map((name) => row(name, measure(unaryCalls(name), relativeToOne)));

const text = `# Accuracy of the float32 functions

Measured by \`node benchmarks/accuracy.mjs --stride ${stride}\`: every ${stride}th bit pattern of float32 (${first[0].points} arguments a
function: both signs, all exponents, subnormal numbers, infinities and NaN), against float64 arithmetic. "Equal" says whether the sets of
kernels (${sets.map((set) => `\`${set.name}\``).join(", ")}) gave the same bits for every argument, any NaN equal to any NaN.

| function | worst error, in units of the last place | at | equal |
| --- | --- | --- | --- |
${first.map(({ text: line }) => line).join("\n")}

\`pow\` is measured at ${first.at(-1).points} pairs: bases over the whole range with eight exponents. What the processor does itself (\`add\`,
\`sub\`, \`mul\`, \`div\`, \`sqrt\`, \`reciprocal\`) is rounded correctly: at most half a unit.

Functions composed of others are held to 4u(1 + |value|), u = 2⁻²⁴; the slopes are the derivatives of the two forms of gelu.

| function | worst error, in u(1 + \\|value\\|) | at | equal |
| --- | --- | --- | --- |
${second.map(({ text: line }) => line).join("\n")}
`;
writeFileSync(fileURLToPath(new URL("../docs/accuracy.md", import.meta.url)), text);
if ([...first, ...second].some(({ differing }) => differing > 0)) process.exitCode = 1;
