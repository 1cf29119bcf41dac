import fs from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The compiled module that worker threads run: beside this one, or in `dist` when this one is run from the
 * TypeScript sources. Undefined when it has not been compiled.
 */
export function workerScript(): string | undefined {
  const here = import.meta.url;
  const compiled = here.endsWith(".ts")
    ? new URL("../../../dist/bench/executors/worker.js", here)
    : new URL("./worker.js", here);
  const file = fileURLToPath(compiled);
  return fs.existsSync(file) ? file : undefined;
}
