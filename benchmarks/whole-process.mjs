import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Rows that are whole processes. `start`: milliseconds from starting a process to its end, which comes right after its first gradient,
 * less those of an empty process, in turns. `memory`: the greatest resident size that the process reports of itself, in
 * its last line of output, in MB.
 */
export async function measureProcess(name, sides, rounds) {
  const figures = {};
  const missing = {};
  for (const side of sides) {
    if (side.missing) continue;
    const samples = [];
    for (let round = 0; round < rounds && !missing[side.name]; round++) {
      const run = timed(side[name], side.environment);
      if (run.status !== 0) missing[side.name] = run.reason;
      else if (name === "start")
        samples.push(run.milliseconds - timed(side.empty, side.environment).milliseconds);
      else samples.push(Number(run.output.trim().split("\n").at(-1)));
    }
    const sorted = samples.sort((a, b) => a - b);
    if (sorted.length > 0) {
      figures[side.name] = {
        median: sorted[sorted.length >> 1],
        least: sorted[0],
        greatest: sorted.at(-1),
        rounds: sorted.length,
      };
    }
  }
  return { figures, missing };
}

function timed([command, ...args], environment) {
  if (args[0]?.startsWith("/") && !exists(args[0]))
    return { status: 1, reason: "not written for this framework" };
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, ...environment },
  });
  return {
    status,
    milliseconds: performance.now() - begin,
    output: stdout,
    reason: stderr.trim().split("\n").at(-1) || `ended with code ${status}`,
  };
}

function exists(file) {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}
