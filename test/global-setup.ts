import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Builds the package once before the tests, if it has changed: worker threads and command-line tests run the built
 * package. With `GRADSTAND_NO_BUILD=1` only the kernels are compiled, for quick runs of tests that need no more.
 */
export default function setup(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const script = process.env.GRADSTAND_NO_BUILD === "1" ? "build-kernels" : "build-if-changed";
  execFileSync(process.execPath, [`scripts/${script}.mjs`], { cwd: root, stdio: "inherit" });
}
