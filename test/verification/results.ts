import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LawPart } from "../../src/testing/index.js";
import type { LevelNumber } from "./levels.js";

/** What one check found. */
export interface Finding {
  readonly row: string;
  readonly level: LevelNumber;
  readonly check: string;
  readonly parts: readonly LawPart[];
}

/** Where findings are written when a table is to be made of them; nothing is written without it. */
const folder = process.env.VERIFICATION_RESULTS;

/** Writes the findings of a group for scripts/verification-table.mjs, when it asked for them. */
export function writeFindings(group: string, findings: readonly Finding[]): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${group}.json`), JSON.stringify(findings, undefined, 1));
}
