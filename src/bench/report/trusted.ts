import type { Json } from "../../ideas/index.js";
import type { Clue } from "./checks/check.js";
import { benchOf, benchPrefix, type Report } from "./document-v2.js";
import { leavesOf, pathSteps, valueAt } from "./path.js";

/** A value that follows from nothing else in the report. */
export interface Trusted {
  readonly path: string;
  /** `undefined` for a whole section. */
  readonly value?: Json;
  readonly why: string;
}

/**
 * What a report's checks do not reach: no check has it as its figure, and none would fail if it were another
 * value. In version 2 the digests still show a later alteration, so there it is one line a section.
 */
export function trustedValues(report: Report, clues: readonly Clue[]): Trusted[] {
  const reached = new Set(
    clues.flatMap(({ path, coarse, suspects }) => [
      ...(coarse ? [] : [path]),
      ...suspects.filter(({ rounded }) => !rounded).map((suspect) => suspect.path),
    ]),
  );
  const left = leavesOf(report).filter(([path]) => !reached.has(path));
  if (benchOf(report).bench_version === 1) {
    const quoting = new Set(clues.filter(({ coarse }) => coarse).map(({ path }) => path));
    return wholeArrays(report, left).map(([path, value]) => ({
      path,
      value,
      why: reasonOf(path, value, quoting),
    }));
  }
  const prefix = benchPrefix(report);
  const depth = prefix === "" ? 1 : 2;
  const digests = `${prefix}digests`;
  const sections = new Map<string, Json[]>();
  for (const [path, value] of left) {
    const steps = pathSteps(path).slice(0, path.startsWith(prefix) ? depth : 1);
    const section = steps.join(".");
    if (section === digests) continue;
    const values = sections.get(section);
    if (values) values.push(value);
    else sections.set(section, [value]);
  }
  return [...sections].map(([path, values]) => ({
    path,
    why: `${contents(values)}; its digest shows a later change, no more`,
  }));
}

/** The left values, with an array in the place of its items when all of them are left. */
function wholeArrays(report: Report, left: readonly [string, Json][]): [string, Json][] {
  const arrays = new Map<string, number>();
  const arrayOf = (path: string): string => path.replace(/\[\d+\]$/, "");
  for (const [path] of left) arrays.set(arrayOf(path), (arrays.get(arrayOf(path)) ?? 0) + 1);
  return left.flatMap(([path, value]): [string, Json][] => {
    const array = arrayOf(path);
    const items = valueAt(report, array);
    if (array === path || !Array.isArray(items) || items.length !== arrays.get(array)) return [[path, value]];
    return path === `${array}[0]` ? [[array, items as Json]] : [];
  });
}

function reasonOf(path: string, value: Json, quoting: ReadonlySet<string>): string {
  if (quoting.has(path)) return "a text, apart from the figures that it quotes";
  if (typeof value === "string" || /\bfiles$/.test(path)) return "a name or a text";
  if (/\bsweep\[\d+\]\.mean$/.test(path)) return "the mean of a configuration whose values are not reported";
  if (/\bconfidence$/.test(path)) return "the author's own confidence";
  return "measured or chosen, not derived";
}

function contents(values: readonly Json[]): string {
  const measured = values.some((value) => typeof value === "number" || typeof value === "boolean");
  return measured ? "values that were measured or chosen, not derived" : "names and wording";
}
