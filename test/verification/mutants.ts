import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { Comparison } from "../../src/testing/comparison.js";
import { check, notApplicable, type Entry } from "./row.js";

/** A planted fault as the tables of scripts/mutation/mutants describe it. */
interface Mutant {
  readonly id: string;
  /** Names of rows of the matrix. */
  readonly target: string | readonly string[];
}

const folder = fileURLToPath(new URL("../../scripts/mutation/mutants", import.meta.url));

/** Every list of mutants that a module of the folder exports; none while the folder does not exist. */
async function registered(): Promise<Mutant[]> {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => /\.(ts|mjs|json)$/.test(name));
  const lists = await Promise.all(
    files.sort().map(async (name): Promise<unknown[]> => {
      const url = pathToFileURL(join(folder, name)).href;
      const exports = (await import(url)) as Record<string, unknown>;
      return [...new Set(Object.values(exports))].filter(Array.isArray).flat();
    }),
  );
  return lists.flat().filter(isMutant);
}

const isMutant = (value: unknown): value is Mutant =>
  typeof value === "object" && value !== null && "id" in value && "target" in value;

const mutants = await registered();

/** Level 11 of a row: the mutants that name it. `npm run test:mutation` plants them and asks that each is found. */
export function mutantEntry(name: string): Entry {
  const ids = mutants.filter(({ target }) => [target].flat().includes(name)).map(({ id }) => id);
  if (ids.length === 0) return notApplicable("no mutant names it");
  return ids.map((id) =>
    check(id, () => {
      const comparison = new Comparison("Mutant");
      comparison.error("named", 0, 0, () => ({ where: id, expected: "named", found: "not" }));
      return comparison.result();
    }),
  );
}
