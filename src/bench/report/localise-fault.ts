import type { Json } from "../../ideas/index.js";
import type { Checker } from "./checks/all-checks.js";
import { isFloat32, type Clue, type Suspect } from "./checks/check.js";
import type { Report } from "./document-v2.js";
import { jointRepair } from "./joint-repair.js";
import { valueAt, withValueAt } from "./path.js";

/** A value of a report that is not what it should be. */
export interface Fault {
  readonly path: string;
  /** `undefined` when the report lacks it. */
  readonly reported: Json | undefined;
  /** What it should be; `undefined` when that cannot be known. */
  readonly implied?: Json;
  readonly why: string;
  /** Values whose alteration would explain the same and leave no other trace. */
  readonly alternatives?: readonly string[];
}

/** What was found wrong, and the report with all of it put right as far as that can be done. */
export interface Diagnosis {
  readonly faults: readonly Fault[];
  readonly repaired: Report;
}

/** One value put right, and how well that explains the checks that failed. */
interface Explanation {
  readonly path: string;
  readonly implied: Json;
  readonly unknown: boolean;
  /**
   * The value is the failing figure itself, not one that it was computed from; for a quotation, the figure
   * quoted.
   */
  readonly own: boolean;
  readonly plausibility: number;
  readonly remaining: number;
}

/** With more failing checks than this a report is not one with a few altered values, and each check is named. */
const mostFailing = 100;

/**
 * Finds the altered values behind failing checks: the fewest whose repair makes every check hold, found one
 * at a time. One altered per-seed value breaks the mean, the deviation and every paired figure; it alone is
 * named, with the value that the printed difference or the mean implies. An altered derived figure breaks
 * only its own check. Where two explanations leave nothing over, the one that turns an odd number into a
 * float32 or a shorter decimal is preferred, then the derived figure. What a text prints of a figure is shorter
 * anyway, so that speaks for neither.
 */
export function localiseFaults(report: Report, checker: Checker): Diagnosis {
  const faults: Fault[] = [];
  let repaired = report;
  let clues = checker.all(repaired);
  let failing = failures(clues);
  while (failing.length > 0) {
    if (failing.length > mostFailing) return { faults: [...faults, ...unexplained(clues, faults)], repaired };
    const [best, ...tied] = explanationsOf(repaired, failing, checker);
    const joint = best?.remaining === 0 ? undefined : jointRepair(repaired, failing, checker);
    if (joint) return withAll(repaired, faults, joint);
    if (best === undefined || best.remaining >= failing.length) {
      return { faults: [...faults, ...unexplained(clues, faults)], repaired };
    }
    const alternatives = tied.filter(
      (other) => best.remaining === 0 && other.plausibility >= best.plausibility,
    );
    faults.push(faultOf(repaired, best, failing, alternatives));
    repaired = withValueAt(repaired, best.path, best.implied);
    clues = checker.all(repaired);
    failing = failures(clues);
  }
  return { faults, repaired };
}

/** The diagnosis when several per-seed values were altered and the printed differences imply all of them. */
function withAll(report: Report, faults: readonly Fault[], joint: readonly Suspect[]): Diagnosis {
  const added = joint.map(({ path, implied }) => ({
    path,
    reported: valueAt(report, path),
    implied,
    why: "with it and the others put right, as the printed differences imply them, everything holds",
  }));
  const repaired = joint.reduce(
    (document, { path, implied }) => withValueAt(document, path, implied),
    report,
  );
  return { faults: [...faults, ...added], repaired };
}

function failures(clues: readonly Clue[]): Clue[] {
  return clues.filter(({ holds }) => !holds);
}

/**
 * The best explanations of the failing checks: those that leave the fewest failing, the most plausible first.
 */
function explanationsOf(report: Report, failing: readonly Clue[], checker: Checker): Explanation[] {
  const candidates = failing.flatMap((clue) => [
    ...(clue.implied === undefined
      ? []
      : [{ path: clue.path, implied: clue.implied, unknown: false, rounded: false, own: !clue.coarse }]),
    ...clue.suspects.map(({ path, implied, unknown = false, rounded = false }) => ({
      path,
      implied,
      unknown,
      rounded,
      own: clue.coarse ?? false,
    })),
  ]);
  const cheap = candidates.map((candidate) => {
    const mended = withValueAt(report, candidate.path, candidate.implied);
    return { ...candidate, mended, left: failures(checker.cheap(mended)).length };
  });
  const fewest = Math.min(...cheap.map(({ left }) => left));
  const full = cheap
    .filter(({ left }) => left === fewest)
    .map(({ mended, path, implied, unknown, rounded, own }) => ({
      path,
      implied,
      unknown,
      own,
      plausibility: rounded ? 0 : plausibility(valueAt(report, path), implied),
      remaining: failures(checker.all(mended)).length,
    }));
  const ranked = full.sort(
    (a, b) => a.remaining - b.remaining || b.plausibility - a.plausibility || Number(b.own) - Number(a.own),
  );
  const paths = new Set<string>();
  return ranked.filter(({ path, remaining }) => {
    const first = !paths.has(path) && remaining === ranked[0].remaining;
    paths.add(path);
    return first;
  });
}

/** 1 when the repair is a rounder value than the one it replaces, −1 when it is less round, else 0. */
function plausibility(reported: Json | undefined, implied: Json): number {
  if (typeof reported === "number" && typeof implied === "number") {
    const single = Number(isFloat32(implied)) - Number(isFloat32(reported));
    if (single !== 0 && String(reported).length > 8 && String(implied).length > 8) return single;
  }
  const shorter = String(reported).length - String(implied).length;
  return Math.abs(shorter) < 3 ? 0 : Math.sign(shorter);
}

function faultOf(
  report: Report,
  best: Explanation,
  failing: readonly Clue[],
  alternatives: readonly Explanation[],
): Fault {
  const own = failing.find(({ path, note }) => path === best.path && note !== undefined);
  const others = failing.filter(({ path }) => path !== best.path).map(({ path }) => path);
  const parts = [
    ...(own?.note === undefined ? [] : [own.note]),
    ...(others.length === 0 ? [] : [`with it put right these hold too: ${listed(others)}`]),
  ];
  return {
    path: best.path,
    reported: own?.implied === best.implied ? own.reported : valueAt(report, best.path),
    ...(best.unknown ? {} : { implied: own?.implied === best.implied ? own.recomputed : best.implied }),
    why: parts.length === 0 ? "does not follow from the values that it is derived from" : parts.join("; "),
    ...(alternatives.length === 0 ? {} : { alternatives: alternatives.map(({ path }) => path) }),
  };
}

/**
 * Checks that no single repair improves. When digests show which sections were altered, a figure in a section
 * that was not is left out: it fails because of them. A section in which an altered value was found is not
 * named as well.
 */
function unexplained(clues: readonly Clue[], found: readonly Fault[]): Fault[] {
  const intact = clues.filter(({ section, holds }) => section && holds).map(({ path }) => path);
  const altered = failures(clues).filter(({ section }) => section);
  const figures = failures(clues).filter(
    ({ path, section }) =>
      !section && !(altered.length > 0 && intact.some((unharmed) => liesIn(path, unharmed))),
  );
  const named = [...found, ...figures];
  const sections = altered.filter(({ path }) => !named.some((one) => liesIn(one.path, path)));
  return [...figures, ...sections].map(({ path, reported, recomputed, note }) => ({
    path,
    reported,
    implied: recomputed,
    why: note ?? "does not follow from the values that it is derived from",
  }));
}

/** Whether a path leads into a section, or is the section's. */
function liesIn(path: string, section: string): boolean {
  return path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[`);
}

function listed(paths: readonly string[]): string {
  const distinct = [...new Set(paths)];
  return distinct.length > 4
    ? `${distinct.slice(0, 4).join(", ")} and ${distinct.length - 4} more`
    : distinct.join(", ");
}
