/**
 * Mutation testing: puts each mutant of the table into a copy of the project and runs the tests that must notice it.
 * Before that every named test has to pass without a mutant. Exit code 1 when a mutant survives, is stale or cannot be
 * tried.
 *
 *     npm run test:mutation -- [--jobs N] [--only ID or FAMILY,…] [--timeout SECONDS] [--json] [--record] [--skip-plain]
 *
 * `--skip-plain` leaves out the run without mutants, for work on single ones. `--record` writes docs/mutation.md, in
 * which mutants that were not run keep the result that stands there.
 */
import { fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers";
import { parseArgs } from "node:util";
import { documentOf, resultsIn } from "./document.mjs";
import { faults, mutants, root } from "./table.mjs";
import { removeFolder } from "./workspace.mjs";

const { values: options } = parseArgs({
  options: {
    jobs: { type: "string", default: String(Math.min(4, availableParallelism())) },
    only: { type: "string" },
    timeout: { type: "string", default: "120" },
    json: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    "skip-plain": { type: "boolean", default: false },
  },
});

const table = await mutants();
const wrong = faults(table);
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join("\n")}\n`);
  process.exit(1);
}
const wanted = options.only?.split(",");
const chosen = wanted
  ? table.filter(({ id, family }) => wanted.includes(id) || wanted.includes(family))
  : table;
const usage =
  chosen.length === 0
    ? `there is no mutant ${options.only}`
    : options.record && options["skip-plain"] && "what is recorded needs the run without mutants";
if (usage) {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}
const seconds = Number(options.timeout);
const say = (text) => process.stderr.write(`${text}\n`);

/** A worker process with its copy of the project; another takes its place when it hangs. */
class Worker {
  #process;
  #folder;

  async start() {
    this.#process = fork(join(root, "scripts/mutation/worker.mjs"), {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
    });
    this.#folder = (await this.#next()).folder;
  }

  async do(task) {
    this.#process.send(task);
    const timer = new Promise((resolve) => setTimeout(resolve, 1000 * seconds, undefined).unref());
    const result = await Promise.race([this.#next(), timer]);
    if (result) return result;
    this.stop();
    await this.start();
    return { outcome: "timed out", detail: `after ${seconds} s` };
  }

  #next() {
    const child = this.#process;
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error("a worker ended"));
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message);
      });
    });
  }

  stop() {
    this.#process?.removeAllListeners("exit");
    try {
      // A group of its own: a compiler that it has started ends with it.
      if (this.#process) process.kill(-this.#process.pid, "SIGKILL");
    } catch {
      // It has ended itself.
    }
    if (this.#folder) removeFolder(this.#folder);
  }
}

const workers = Array.from({ length: Number(options.jobs) }, () => new Worker());
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    for (const worker of workers) worker.stop();
    process.exit(130);
  });
}

/** Gives the tasks to the workers one by one; results in the order of the tasks. */
async function all(tasks, report) {
  const results = new Array(tasks.length);
  let next = 0;
  const work = async (worker) => {
    while (next < tasks.length) {
      const at = next++;
      const start = performance.now();
      results[at] = await worker.do(tasks[at]);
      report(at, results[at], (performance.now() - start) / 1000);
    }
  };
  await Promise.all(workers.map(work));
  return results;
}

/** Writes the document: new results, and for the mutants that were not run those that stand there. */
function record(rows) {
  const file = join(root, "docs/mutation.md");
  const before = existsSync(file) ? resultsIn(readFileSync(file, "utf8")) : new Map();
  const results = new Map([...before, ...rows.map(({ id, result }) => [id, result])]);
  const missing = table.filter(({ id }) => !results.has(id)).map(({ id }) => id);
  if (missing.length > 0) say(`docs/mutation.md is not written: never run: ${missing.join(", ")}`);
  else
    writeFileSync(file, documentOf(table.map((mutant) => ({ ...mutant, result: results.get(mutant.id) }))));
}

const outcomes = { failed: "killed", passed: "survived" };
let exitCode = 0;
try {
  await Promise.all(workers.map((worker) => worker.start()));
  const run = chosen.filter(({ equivalent }) => !equivalent);
  const tests = options["skip-plain"] ? [] : [...new Set(run.flatMap((mutant) => mutant.tests))].sort();
  const plain = await all(
    tests.map((test) => ({ tests: [test] })),
    () => undefined,
  );
  plain.forEach(({ outcome, detail }, at) => {
    if (outcome === "passed") return;
    say(`${tests[at]} does not pass without a mutant: ${outcome} ${detail}`);
    exitCode = 1;
  });
  if (exitCode === 0) {
    const results = await all(
      run.map((mutant) => ({ tests: mutant.tests, mutant })),
      (at, { outcome, detail }, time) =>
        say(
          `${(outcomes[outcome] ?? outcome).padEnd(9)} ${time.toFixed(1).padStart(5)} s  ${run[at].id}  ${detail}`,
        ),
    );
    const verdicts = new Map(
      run.map(({ id }, at) => [id, outcomes[results[at].outcome] ?? results[at].outcome]),
    );
    const rows = chosen.map((mutant) => ({ ...mutant, result: verdicts.get(mutant.id) ?? "equivalent" }));
    const count = (result) => rows.filter((row) => row.result === result).length;
    const left = rows.filter(({ result }) => result !== "killed" && result !== "equivalent");
    exitCode = left.length > 0 ? 1 : 0;
    say(
      `${rows.length} mutants: ${count("killed")} killed, ${count("equivalent")} equivalent, ${left.length} left`,
    );
    for (const { id, result } of left) say(`${result}: ${id}`);
    if (options.json) process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    if (options.record) record(rows);
  }
} finally {
  for (const worker of workers) worker.stop();
}
process.exit(exitCode);
