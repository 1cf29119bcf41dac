import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../package-place.js";

/** The compiled module that a fresh process runs. Undefined when it has not been compiled. */
export function processScript(): string | undefined {
  const file = path.join(packageRoot(), "dist/bench/executors/process-task.js");
  return fs.existsSync(file) ? file : undefined;
}
