/**
 * A process with a copy of the project and one Vitest, which stays warm from mutant to mutant. It is sent
 * `{ tests, mutant? }` and answers `{ outcome, detail }`: "passed", "failed", or "broken" when the tests could not run.
 */
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { Workspace } from "./workspace.mjs";

const workspace = new Workspace();
const { folder } = workspace;
process.chdir(folder);
process.env.GRADSTAND_NO_BUILD = "1";

/** What the run under way has shown so far. */
let seen;
const reporter = {
  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === "failed") seen.failed ??= test.fullName;
    if (state !== "skipped") seen.cases++;
  },
  onTestModuleEnd(module) {
    seen.error ??= module.errors()[0]?.message;
  },
  onTestRunEnd(_, errors) {
    seen.error ??= errors[0]?.message;
  },
};

const vitest = await createVitest(
  "test",
  {
    root: folder,
    config: join(folder, "vitest.config.ts"),
    watch: false,
    pool: "threads",
    maxWorkers: 1,
    fileParallelism: false,
    bail: 1,
    silent: true,
    reporters: [reporter],
    globalSetup: [],
  },
  { cacheDir: join(folder, ".vite"), server: { watch: null } },
);

/** What became of the tests whose full names match. */
async function run(tests, named) {
  const specifications = await vitest.globTestSpecifications(tests);
  if (specifications.length !== tests.length) return { outcome: "broken", detail: "tests were not found" };
  seen = { cases: 0 };
  vitest.state.clearErrors();
  if (named) vitest.setGlobalTestNamePattern(named);
  else vitest.resetGlobalTestNamePattern();
  await vitest.runTestSpecifications(specifications, false);
  if (seen.failed) return { outcome: "failed", detail: seen.failed };
  if (seen.error) return { outcome: "broken", detail: seen.error };
  return seen.cases > 0 ? { outcome: "passed", detail: "" } : { outcome: "broken", detail: "no test ran" };
}

async function answer({ tests, mutant }) {
  if (!mutant) return run(tests);
  let applied;
  try {
    applied = workspace.apply(mutant);
  } catch (error) {
    return { outcome: "broken", detail: error.message };
  }
  try {
    for (const file of applied.files) vitest.invalidateFile(file);
    return await run(tests, mutant.named);
  } finally {
    applied.undo();
    for (const file of applied.files) vitest.invalidateFile(file);
  }
}

process.on("message", (task) => {
  void answer(task).then((result) => process.send(result));
});
process.on("disconnect", () => {
  workspace.remove();
  process.exit();
});
process.send({ folder });
