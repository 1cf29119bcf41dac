import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Compiles `src` into `dist` once before the tests: worker threads and command-line tests run the compiled package.
 * `GRADSTAND_NO_BUILD=1` skips it, for quick runs of tests that do not need it.
 */
export default function setup(): void {
  if (process.env.GRADSTAND_NO_BUILD === "1") return;
  const root = fileURLToPath(new URL("..", import.meta.url));
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
}
