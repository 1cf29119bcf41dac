/**
 * Breaks the project in one place at a time and runs the fault test that must notice it: `npm run test:faults:breaks`. It works on a copy
 * in a temporary folder, which is bundled anew for each break. Exit code 1 when a test did not notice its break, or a break does not fit the
 * sources any more.
 *
 *     npm run test:faults:breaks -- [--only WORDS] [--from N] [--to N] [--timeout SECONDS] [--record] [--skip-plain]
 *
 * Each test has to pass without its break first, within the same time; `--skip-plain` leaves that out. `--timeout` is what one test may take, in
 * seconds (100). `--only` takes the breaks whose name or test file has these words in it. `--record` writes docs/faults.md, in which breaks that were not
 * run keep the result that stands there.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { breaks } from "./breaks.mjs";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    from: { type: "string", default: "1" },
    to: { type: "string", default: String(breaks.length) },
    timeout: { type: "string", default: "100" },
    "skip-plain": { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
/** Milliseconds that one test may take: what never ends is noticed by this alone. */
const patience = 1000 * Number(options.timeout);
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const document = join(root, "docs/faults.md");
const chosen = breaks
  .slice(Number(options.from) - 1, Number(options.to))
  .filter(({ name, tests }) => !options.only || name.includes(options.only) || tests.includes(options.only));

/** Of a test that cannot run where this runs, such as one for a user who is not root. */
const skipped = "its test is skipped here";

const copy = mkdtempSync(join(tmpdir(), "gradstand-faults-"));
const results = new Map();
try {
  const leftOut = new Set([".git", "node_modules", "coverage", "reports", ".gradstand"]);
  for (const part of readdirSync(root))
    if (!leftOut.has(part)) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "dir");
  for (const one of chosen) {
    const began = performance.now();
    const result = tried(one);
    results.set(one.name, result);
    // After each, so that a run that is stopped keeps what it found.
    if (options.record) writeFileSync(document, table());
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `${breaks.indexOf(one) + 1} ${result.outcome} (${seconds} s): ${one.name} | ${one.tests} | ${result.detail}\n`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = [...results.values()].every(({ outcome }) => [skipped, "noticed"].includes(outcome))
  ? 0
  : 1;

/** Puts a break in, runs its test, and takes it out again. */
function tried({ file, find, replace, tests, only }) {
  const source = join(copy, "src", file);
  const before = readFileSync(source, "utf8");
  if (!options["skip-plain"] && testedWith(before, source, tests, only).status !== 0)
    return { outcome: "fails without the break", detail: only };
  if (before.split(find).length !== 2)
    return { outcome: "stale", detail: `its text must stand once in src/${file}` };
  try {
    const { bundled, said, status } = testedWith(
      before.replace(find, () => replace),
      source,
      tests,
      only,
    );
    if (!bundled) return { outcome: "not bundled", detail: firstError(said) };
    if (!/Tests .*(passed|failed)|Failed Suites/.test(said)) return { outcome: skipped, detail: only };
    if (status === 0) return { outcome: "NOT NOTICED", detail: only };
    return { outcome: "noticed", detail: firstError(said) };
  } finally {
    writeFileSync(source, before);
  }
}

/** Bundles the project and the inspector's page with this text of a source, and runs a test. */
function testedWith(text, source, tests, only) {
  writeFileSync(source, text);
  for (const script of ["bundle", "build-inspect-page"]) {
    const { status, said } = run("node", [`scripts/${script}.mjs`]);
    if (status !== 0) return { bundled: false, said };
  }
  const words = ["vitest", "run", "--config", "vitest.faults.config.ts", `test/faults/${tests}`];
  const times = [`--testTimeout=${patience}`, `--hookTimeout=${patience}`];
  return { bundled: true, ...run("npx", [...words, ...times, ...(only ? ["-t", only] : [])]) };
}

function run(command, words) {
  const env = { ...process.env, GRADSTAND_NO_BUILD: "1" };
  const timeout = 5 * patience;
  const ended = spawnSync(command, words, { cwd: copy, encoding: "utf8", env, timeout, maxBuffer: 2 ** 28 });
  return { status: ended.status, said: stripVTControlCharacters(`${ended.stdout}\n${ended.stderr}`) };
}

function firstError(said) {
  return (said.split("\n").find((line) => /Error: /.test(line)) ?? "").trim().slice(0, 120);
}

/** The document: what was not run keeps the result that stands there. */
function table() {
  const known = new Map(
    (existsSync(document) ? readFileSync(document, "utf8") : "")
      .split("\n")
      .map((line) => line.split(" | "))
      .filter((cells) => cells.length === 4)
      .map(([name, , , result]) => [name.replace(/^\| /, ""), result.replace(/ \|$/, "")]),
  );
  const rows = breaks.map(({ name, file, tests, only }) => {
    const result = results.get(name)?.outcome ?? known.get(name) ?? "not run";
    return `| ${name} | src/${file} | ${tests}${only ? `, "${only}"` : ""} | ${result} |`;
  });
  return `# Fault tests, each broken once

Made by \`npm run test:faults:breaks -- --record\`; not to be edited. Each row breaks the project in one place, in a copy, and runs the fault test
that is there for it (\`test/faults\`), which must fail. The table is in \`scripts/faults/breaks.mjs\`.

| break | in | test | result |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}
