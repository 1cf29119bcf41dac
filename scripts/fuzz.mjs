/** Calls every public function at random: `node scripts/fuzz.mjs --calls 100000 --seed mine`; prints what came of them. */
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now()) },
  },
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { status } = spawnSync("npx", ["vitest", "run", "test/fuzz", "--testTimeout", "600000"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, FUZZ_CALLS: values.calls, FUZZ_SEED: values.seed, GRADSTAND_NO_BUILD: "1" },
});
process.exitCode = status ?? 1;
