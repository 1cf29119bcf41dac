/**
 * Runs the matrix of verification and writes docs/verification.md: each subject by each level, with the worst error observed
 * beside its tolerance. `npm run verification`. The seed and the number of cases are fixed, so the same sources give
 * the same bytes on the same machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const target = new URL("../docs/verification.md", import.meta.url);
const seed = 20_261_130;
const runs = 60;

const folder = mkdtempSync(join(tmpdir(), "verification-"));
try {
  const { status } = spawnSync("npx", ["vitest", "run", "--reporter=dot", "test/verification"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      VERIFICATION_RESULTS: folder,
      FAST_CHECK_SEED: String(seed),
      FAST_CHECK_RUNS: String(runs),
    },
  });
  if (status !== 0) {
    process.stderr.write("the matrix does not hold: npx vitest run test/verification\n");
    process.exitCode = 1;
  } else {
    const groups = readdirSync(folder)
      .sort()
      .map((file) => ({
        name: file.replace(/\.json$/, ""),
        ...JSON.parse(readFileSync(join(folder, file), "utf8")),
      }));
    writeFileSync(target, page(groups));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function page(groups) {
  const { levels } = groups[0];
  const numbers = Object.keys(levels);
  return `${[
    "# Verification",
    "",
    "Every operation, layer, loss, optimizer and idea, by the levels of a ladder of checks. `npm run verification` writes this page;",
    "`npm test` runs the same checks. What must be there is in `test/verification`: `policy.ts` says which level each class of",
    "subjects must have, and a missing check, a new function without a row, or a reason that says nothing fails the tests.",
    "",
    "A cell shows the worst error observed and its tolerance, one pair for each tolerance that the level has for the subject;",
    "`exact` stands for equal numbers or equal bits, `–` for a level that says nothing of the subject: the reasons are below each",
    `table. Seed ${seed}. u = 2⁻²⁴.`,
    "",
    "| level | what | tolerance |",
    "| --- | --- | --- |",
    ...numbers.map((n) => `| ${n} | ${cell(levels[n].title)} | ${cell(levels[n].tolerance)} |`),
    ...groups.flatMap((group) => section(group, numbers)),
  ].join("\n")}\n`;
}

function section({ name, rows }, numbers) {
  return [
    "",
    `## ${name}`,
    "",
    `| subject | ${numbers.join(" | ")} |`,
    `| --- | ${numbers.map(() => "---").join(" | ")} |`,
    ...rows.map(
      (row) => `| ${cell(row.name)} | ${numbers.map((n) => found(n, row.entries[n])).join(" | ")} |`,
    ),
    "",
    ...reasons(rows, numbers),
  ];
}

function found(level, { checks }) {
  if (!checks) return "–";
  if (level === "9" || level === "11") return counted(checks.length, level === "9" ? "case" : "mutant");
  const worst = new Map();
  for (const { parts } of checks)
    for (const part of parts) {
      const before = worst.get(part.tolerance);
      if (before === undefined || part.worst > before) worst.set(part.tolerance, part.worst);
    }
  return [...worst]
    .sort(([a], [b]) => a - b)
    .map(([tolerance, error]) => (tolerance === 0 ? "exact" : `${short(error)} / ${short(tolerance)}`))
    .join("<br>");
}

/** Reasons with the subjects and levels that share them. */
function reasons(rows, numbers) {
  const shared = new Map();
  for (const { name, entries } of rows)
    for (const n of numbers) {
      const reason = entries[n].reason ?? entries[n].never;
      if (reason === undefined) continue;
      const key = `${reason}\n${n}`;
      shared.set(key, [...(shared.get(key) ?? []), name]);
    }
  const lines = new Map();
  for (const [key, names] of shared) {
    const [reason, n] = key.split("\n");
    const who = names.length === rows.length ? "all" : names.join(", ");
    const line = `${who}: ${reason}`;
    lines.set(line, [...(lines.get(line) ?? []), Number(n)]);
  }
  return [...lines]
    .sort(([, a], [, b]) => a[0] - b[0])
    .map(([line, levels]) => `- level${levels.length > 1 ? "s" : ""} ${levels.join(", ")}, ${line}`);
}

/** Two digits, with a power of ten where that is shorter. */
function short(value) {
  if (value === 0) return "0";
  return value >= 0.01 && value < 1000
    ? String(Number(value.toPrecision(2)))
    : value.toExponential(1).replace("e+", "e").replace(".0e", "e");
}

function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Text in a cell of a table. */
function cell(text) {
  return text.replaceAll("|", "\\|");
}
