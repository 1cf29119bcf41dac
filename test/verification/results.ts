import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LawPart } from "../../src/testing/index.js";
import { levelNumbers, levels, type LevelNumber } from "./levels.js";
import { policy } from "./policy.js";
import { isNotApplicable, type Row } from "./row.js";

/** What one check found. */
export interface Finding {
  readonly row: string;
  readonly level: LevelNumber;
  readonly check: string;
  readonly parts: readonly LawPart[];
}

/** Where findings are written when a table is to be made of them; nothing is written without it. */
const folder = process.env.VERIFICATION_RESULTS;

/** Writes a group, with what was found, for scripts/verification-table.mjs, when that asked for it. */
export function writeFindings(group: string, rows: readonly Row[], findings: readonly Finding[]): void {
  if (folder === undefined) return;
  const written = rows.map((row) => ({
    name: row.name,
    subject: row.subject,
    entries: Object.fromEntries(levelNumbers.map((level) => [level, writtenEntry(row, level, findings)])),
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${group}.json`), JSON.stringify({ levels, rows: written }, undefined, 1));
}

function writtenEntry(row: Row, level: LevelNumber, findings: readonly Finding[]): unknown {
  const entry = row.levels[level];
  const demand = policy[row.subject][level];
  if (typeof demand === "object") return { never: demand.never };
  if (!entry) return {};
  if (isNotApplicable(entry)) return { reason: entry.notApplicable };
  return { checks: findings.filter((finding) => finding.row === row.name && finding.level === level) };
}
