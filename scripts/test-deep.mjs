/**
 * Every test that draws at random, with twenty times the cases and a fresh seed: `npm run test:deep`. The others, which would do
 * just what `npm test` does, are left out. What it is given goes on to vitest (`npm run test:deep -- test/nn`), but for
 * `--times n`, n runs in a row, and `--seed n`, the first run's seed. It stops at the first run that fails and prints the
 * command that repeats it.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: {
    times: { type: "string", default: "1" },
    seed: { type: "string" },
    runs: { type: "string", default: "1200" },
  },
  allowPositionals: true,
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = positionals.length > 0 ? positionals : filesThatDraw();
const times = wholeNumber("times", values.times);
const runs = wholeNumber("runs", values.runs);
let seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber("seed", values.seed);

for (let run = 1; run <= times; run++) {
  say(`deep run ${run} of ${times}: seed ${seed}, ${runs} cases where a normal run takes 60`);
  const started = Date.now();
  const { status } = spawnSync("npx", ["vitest", "run", "--reporter=dot", ...files], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      FAST_CHECK_SEED: String(seed),
      FAST_CHECK_RUNS: String(runs),
      FUZZ_SEED: String(seed),
      FUZZ_CALLS: String(100 * runs),
    },
  });
  say(
    `deep run ${run}: ${status === 0 ? "passed" : "failed"} after ${Math.round((Date.now() - started) / 1000)} s`,
  );
  if (status !== 0) {
    say(
      `repeat it: npm run test:deep -- --seed ${seed}${runs === 1200 ? "" : ` --runs ${runs}`} <the failed file>`,
    );
    process.exit(1);
  }
  seed = randomInt(2 ** 31);
}

/** The test files that import fast-check, themselves or through what they import, and the fuzzing of all functions. */
function filesThatDraw() {
  const texts = new Map();
  const textOf = (file) => {
    if (!texts.has(file)) texts.set(file, existsSync(file) ? readFileSync(file, "utf8") : "");
    return texts.get(file);
  };
  const draws = (test) => {
    const reached = new Set([test]);
    for (const file of reached) {
      if (/from "fast-check"|FUZZ_CALLS/.test(textOf(file))) return true;
      for (const [, name] of textOf(file).matchAll(/from "(\.[^"]+)\.js"/g))
        reached.add(`${resolve(dirname(file), name)}.ts`);
    }
    return false;
  };
  return readdirSync(join(root, "test"), { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(root, "test", name))
    .filter(draws)
    .sort();
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function wholeNumber(option, text) {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return Number(text);
  process.stderr.write(`--${option}: expected a whole number below 2147483648, got ${text}\n`);
  process.exit(2);
}
