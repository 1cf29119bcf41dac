import { levelNumbers } from "./levels.js";
import type { exceptions, policy } from "./policy.js";
import { isNotApplicable, type Row } from "./row.js";

/** What a matrix is judged by. */
export interface Demands {
  readonly census: readonly string[];
  /** What of the census needs no row, with the reason. */
  readonly withoutRow: Readonly<Record<string, string>>;
  readonly policy: typeof policy;
  readonly exceptions: typeof exceptions;
}

/** A reason is a sentence, not a stroke of the pen. */
const saysSomething = (reason: string): boolean => /\w+\W+\w+/.test(reason);

/** All that is missing from the rows or is there without need; none when the matrix is complete. */
export function faultsOf(rows: readonly Row[], demands: Demands): string[] {
  return [...faultsOfCensus(rows, demands), ...rows.flatMap((row) => faultsOfRow(row, demands))];
}

function faultsOfCensus(rows: readonly Row[], { census, withoutRow, exceptions }: Demands): string[] {
  const covered = rows.flatMap((row) => row.covers);
  const known = new Set(census);
  const names = rows.map(({ name }) => name);
  return [
    ...census
      .filter((name) => !covered.includes(name) && !(name in withoutRow))
      .map((name) => `${name} has no row`),
    ...covered.filter((name) => !known.has(name)).map((name) => `${name} has a row and does not exist`),
    ...covered
      .filter((name) => name in withoutRow)
      .map((name) => `${name} has a row and is said to need none`),
    ...Object.entries(withoutRow).flatMap(([name, reason]) => [
      ...(known.has(name) ? [] : [`${name} is said to need no row and does not exist`]),
      ...(saysSomething(reason) ? [] : [`${name} is said to need no row without a reason`]),
    ]),
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} has two rows`),
    ...Object.keys(exceptions)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is excepted and has no row`),
  ];
}

function faultsOfRow(row: Row, { policy, exceptions }: Demands): string[] {
  return levelNumbers.flatMap((level) => {
    const demand = policy[row.subject][level];
    const entry = row.levels[level];
    const where = `${row.name}, level ${level}`;
    const excepted = exceptions[row.name]?.includes(level) ?? false;
    if (typeof demand === "object") return entry ? [`${where}: its class has none: ${demand.never}`] : [];
    if (!entry) return [`${where}: nothing is said`];
    if (isNotApplicable(entry)) {
      if (!saysSomething(entry.notApplicable)) return [`${where}: not applicable without a reason`];
      return demand === "required" && !excepted ? [`${where}: a check is required of its class`] : [];
    }
    if (excepted) return [`${where}: is excepted and has a check`];
    const titles = entry.map(({ title }) => title);
    return [
      ...(entry.length > 0 ? [] : [`${where}: a list of no checks`]),
      ...titles
        .filter((title, at) => titles.indexOf(title) !== at)
        .map((title) => `${where}: two checks "${title}"`),
    ];
  });
}
