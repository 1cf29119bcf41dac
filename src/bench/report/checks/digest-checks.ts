import { benchPrefix, statementOf, type BenchReportV2, type Report } from "../document-v2.js";
import { allDigests, digestOf } from "../digests.js";
import { childPath, valueAt } from "../path.js";
import { figureCheck, type Clue } from "./check.js";

/** A memory of digests by section: an altered copy of a report shares the sections that it leaves alone. */
export type DigestMemory = WeakMap<object, string>;

/**
 * Each section of a version 2 report against its digest. Only the section itself can mend a mismatch. A bare
 * bench report is checked for its own sections.
 */
export function digestChecks(report: Report, bench: BenchReportV2, memory: DigestMemory): Clue[] {
  const place = `${benchPrefix(report)}digests`;
  const stored = Object.fromEntries(Object.entries(bench.digests).filter(([name]) => name !== allDigests));
  const checks = sectionPaths(report, bench).map(([name, path]): Clue => {
    const digest = remembered(memory, valueAt(report, path));
    return {
      kind: "digest",
      path,
      reported: stored[name],
      recomputed: digest,
      relativeError: undefined,
      holds: stored[name] === digest,
      note: "SHA-256 of the section",
      implied: undefined,
      suspects: [{ path: childPath(place, name), implied: digest }],
      section: true,
    };
  });
  const all = figureCheck(report, childPath(place, allDigests), digestOf(stored), {
    kind: "digest",
    note: "SHA-256 of the other digests",
  });
  return [...checks, all];
}

/** The sections by the name of their digest, with their place in this document. */
function sectionPaths(report: Report, bench: BenchReportV2): [name: string, path: string][] {
  const outer = statementOf(report) ? Object.keys(report).filter((key) => key !== "bench_report") : [];
  const inner = Object.keys(bench).filter((key) => key !== "digests");
  return [
    ...outer.map((key): [string, string] => [key, key]),
    ...inner.map((key): [string, string] => [`bench_report.${key}`, `${benchPrefix(report)}${key}`]),
  ];
}

function remembered(memory: DigestMemory, section: unknown): string {
  if (typeof section !== "object" || section === null) return digestOf(section ?? null);
  const digest = memory.get(section) ?? digestOf(section);
  memory.set(section, digest);
  return digest;
}
