/**
 * The test suite with twenty times the cases and a fresh seed: `npm run test:deep`. What it is given goes on to vitest
 * (`npm run test:deep -- test/nn`), but for `--times n`, n runs in a row, and `--seed n`, the first run's seed. It stops
 * at the first run that fails and prints the command that repeats it.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: {
    times: { type: "string", default: "1" },
    seed: { type: "string" },
    runs: { type: "string", default: "1200" },
  },
  allowPositionals: true,
});
const times = wholeNumber("times", values.times);
const runs = wholeNumber("runs", values.runs);
let seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber("seed", values.seed);

for (let run = 1; run <= times; run++) {
  say(`deep run ${run} of ${times}: seed ${seed}, ${runs} cases where a normal run takes 60`);
  const started = Date.now();
  const { status } = spawnSync("npx", ["vitest", "run", "--reporter=dot", ...positionals], {
    stdio: "inherit",
    env: { ...process.env, FAST_CHECK_SEED: String(seed), FAST_CHECK_RUNS: String(runs) },
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

function say(line) {
  process.stdout.write(`${line}\n`);
}

function wholeNumber(option, text) {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return Number(text);
  process.stderr.write(`--${option}: expected a whole number below 2147483648, got ${text}\n`);
  process.exit(2);
}
