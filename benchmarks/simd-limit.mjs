import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

/** Rounds of one step: about a millisecond, short enough to fall between the turns that other programs take. */
const count = 1_000_000;

/** Operations on single floats in one step; assembly/simd-limit.ts does 48 in a round. */
export const simdLimitOperations = 48 * count;

/** Compiles the micro-kernel and returns a step that runs it: {@link simdLimitOperations} operations. */
export async function simdLimitStep() {
  const rounds = await compile();
  return () => rounds(count, 1, 1);
}

/**
 * What multiplications and additions on 128-bit vectors can reach on one core of this machine, each rounded by itself and
 * nothing read from memory: no product of matrices can be faster. In GFLOP/s, the best of `runs` timings, since
 * whatever disturbs one only makes it slower.
 */
export async function simdLimit(runs = 50) {
  const step = await simdLimitStep();
  let best = Infinity;
  for (let run = 0; run < runs; run++) {
    const from = performance.now();
    step();
    best = Math.min(best, performance.now() - from);
  }
  return simdLimitOperations / best / 1e6;
}

async function compile() {
  const source = readFileSync(fileURLToPath(import.meta.resolve("./assembly/simd-limit.ts")), "utf8");
  let binary;
  const { error } = await asc.main(
    [
      "simd-limit.ts",
      "--outFile",
      "module.wasm",
      "-O3",
      "--enable",
      "simd",
      "--runtime",
      "stub",
      "--noAssert",
    ],
    {
      readFile: (name) => (name === "simd-limit.ts" ? source : null),
      writeFile: (name, contents) => {
        if (name.endsWith(".wasm")) binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw error;
  const { instance } = await WebAssembly.instantiate(binary);
  return instance.exports.rounds;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${(await simdLimit()).toFixed(1)} GFLOP/s\n`);
}
