#!/usr/bin/env node
import { runCommandLine } from "./command-line.js";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`cannot write the result to stdout: ${error.message}\n`);
  process.exit(4);
});

/** Progress that nobody reads any more must not end a run. */
process.stderr.on("error", () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2));
