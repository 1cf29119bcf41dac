import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../package-place.js";

/** The compiled module that worker threads run. Undefined when it has not been compiled. */
export function workerScript(): string | undefined {
  const file = path.join(packageRoot(), "dist/bench/executors/worker.js");
  return fs.existsSync(file) ? file : undefined;
}
