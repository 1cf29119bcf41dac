import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

/** Throws what is missing for the tests: nothing is installed silently, and nothing is skipped. */
export default function setup(): void {
  const missing: string[] = [];
  if (spawnSync("redis-server", ["--version"]).error !== undefined)
    missing.push(
      "redis-server is not on the PATH; install it, for example by `apt-get install redis-server`",
    );
  const load = createRequire(import.meta.url);
  for (const name of ["bullmq", "ioredis"]) {
    try {
      load.resolve(name);
    } catch {
      missing.push(
        `the package ${name} is not installed; run \`npm ci --omit=optional --prefix test/redis\``,
      );
    }
  }
  if (missing.length > 0) throw new Error(`npm run test:redis cannot run: ${missing.join("; ")}`);
}
