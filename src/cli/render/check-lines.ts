import { shown, type Check, type CheckKind } from "../../bench/report/index.js";
import type { Terminal } from "../terminal.js";
import { valueText } from "./value-text.js";

const names: Readonly<Record<CheckKind, readonly [one: string, more: string]>> = {
  figure: ["figure", "figures"],
  quoted: ["quoted number", "quoted numbers"],
  digest: ["digest", "digests"],
};

/** How many checks of each kind there are: `33 figures, 26 quoted numbers`. */
export function counted(checks: readonly Check[]): string {
  const counts = (Object.keys(names) as CheckKind[]).map((kind): [CheckKind, number] => [
    kind,
    checks.filter((check) => check.kind === kind).length,
  ]);
  const some = counts.filter(([, count]) => count > 0);
  return (
    some.map(([kind, count]) => `${count} ${names[kind][count === 1 ? 0 : 1]}`).join(", ") || "no figure"
  );
}

/** Every check on a line of its own. */
export function eachLine(checks: readonly Check[], terminal: Terminal): string[] {
  return checks.map((check) => line([check], terminal));
}

const withoutPlaces = (path: string): string => path.replace(/\[\d+\]/g, "[]");

/** The items of an array share a line, and so do the numbers that one text quotes; a check that fails has its own. */
export function groupedLines(checks: readonly Check[], terminal: Terminal): string[] {
  const groups = grouped(checks, (check, at) =>
    check.holds ? [check.kind, withoutPlaces(check.path), withoutPlaces(check.note ?? "")] : [at],
  );
  return groups.map((group) => line(group, terminal));
}

/**
 * The number of checks of each kind that hold in each section, the single figures of the comparison with their values, and
 * every check that fails.
 */
export function sectionLines(checks: readonly Check[], terminal: Terminal): string[] {
  const { colour } = terminal;
  const sections = grouped(checks, (check) =>
    check.kind === "digest" ? [check.kind] : [check.kind, sectionOf(check)],
  );
  return sections.flatMap((section) => {
    const held = section.filter((check) => check.holds);
    const title = section[0]!.kind === "digest" ? "digests of the sections" : sectionOf(section[0]!);
    return [
      ...(held.length > 0 ? [`  ${colour.green("✓")} ${title}: ${counted(held)}`] : []),
      ...held
        .filter(({ path }) => /^(bench_report\.)?comparison\.[^.[]+$/.test(path))
        .map((check) => `  ${line([check], terminal)}`),
      ...eachLine(
        section.filter((check) => !check.holds),
        terminal,
      ),
    ];
  });
}

/** The section that a check belongs to, such as `bench_report.comparison`. */
const sectionOf = ({ path }: Check): string => /^(bench_report\.)?[^.[]+/.exec(path)?.[0] ?? path;

function grouped(
  checks: readonly Check[],
  keyOf: (check: Check, at: number) => readonly (string | number)[],
): readonly (readonly Check[])[] {
  const groups = new Map<string, Check[]>();
  checks.forEach((check, at) => {
    const key = JSON.stringify(keyOf(check, at));
    groups.set(key, [...(groups.get(key) ?? []), check]);
  });
  return [...groups.values()];
}

/** One line for checks of one kind whose paths differ in their places only. */
function line(group: readonly Check[], { colour }: Terminal): string {
  const { holds, kind, note, path, reported } = group[0]!;
  const together = group.length > 1 ? withoutPlaces : (text: string): string => text;
  const mark = holds ? colour.green("✓") : colour.red("✗");
  const relation = kind === "quoted" ? "quotes" : "=";
  const values = group.map(({ recomputed }) =>
    typeof recomputed === "number"
      ? shown(recomputed)
      : kind === "quoted"
        ? String(recomputed)
        : valueText(recomputed),
  );
  const error = Math.max(...group.map(({ relativeError }) => relativeError ?? 0));
  return [
    `  ${mark} ${together(path)} ${relation} ${values.join(", ")}`,
    holds ? "" : ` reported ${valueText(reported)}`,
    error === 0 ? "" : colour.dim(` (off by ${error.toExponential(1)})`),
    note ? colour.dim(` — ${together(note)}`) : "",
  ].join("");
}
