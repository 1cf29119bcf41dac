import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Compiles the kernels, and bundles `src` into `dist`, once before the tests: worker threads and command-line tests run the built
 * package. `GRADSTAND_NO_BUILD=1` skips the latter, for quick runs of tests that do not need it.
 */
export default function setup(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  execFileSync(process.execPath, ["scripts/build-kernels.mjs"], { cwd: root, stdio: "inherit" });
  if (process.env.GRADSTAND_NO_BUILD === "1") return;
  execFileSync(process.execPath, ["scripts/bundle.mjs"], { cwd: root, stdio: "inherit" });
}
