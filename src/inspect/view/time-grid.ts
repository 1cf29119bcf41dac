import type { InspectDocument } from "../document.js";
import type { Group } from "./outline.js";

/** Time steps side by side: a column for each step, a row for each operation that the steps have in common. */
export interface TimeGrid {
  /** The operation of each row. */
  readonly rows: readonly string[];
  /** The step of each column, as its title has it: `t = 3`. */
  readonly columns: readonly string[];
  /** `cells[row][column]` is a node; undefined where a step lacks the operation. */
  readonly cells: readonly (readonly (number | undefined)[])[];
}

/** Several steps in a row (a group of kind `steps`) as a grid. The longest step gives the rows; the others are aligned with it. */
export function timeGridOf({ nodes }: Pick<InspectDocument, "nodes">, { children }: Group): TimeGrid {
  const steps = children.map(operationsIn);
  const opOf = (id: number): string => nodes[id]!.op!;
  const longest = steps.reduce((best, step) => (step.length > best.length ? step : best), []);
  const rows = longest.map(opOf);
  const columns = steps.map((step) => aligned(rows, step, opOf));
  return {
    rows,
    columns: children.map((child) => (typeof child === "number" ? `#${child}` : child.title)),
    cells: rows.map((_, row) => columns.map((column) => column[row])),
  };
}

/** The operations of a group at any depth, in order. */
export function operationsIn(group: Group | number): number[] {
  return typeof group === "number" ? [group] : group.children.flatMap(operationsIn);
}

/** Which operation of a step stands in which row: a longest common subsequence of names. */
function aligned(
  rows: readonly string[],
  step: readonly number[],
  opOf: (id: number) => string,
): (number | undefined)[] {
  if (step.length === rows.length && step.every((id, row) => opOf(id) === rows[row])) return [...step];
  const common = Array.from({ length: rows.length + 1 }, () => new Int32Array(step.length + 1));
  for (let row = rows.length - 1; row >= 0; row--)
    for (let at = step.length - 1; at >= 0; at--)
      common[row]![at] =
        rows[row] === opOf(step[at]!)
          ? common[row + 1]![at + 1]! + 1
          : Math.max(common[row + 1]![at]!, common[row]![at + 1]!);
  const column = new Array<number | undefined>(rows.length).fill(undefined);
  let at = 0;
  for (let row = 0; row < rows.length && at < step.length;) {
    if (rows[row] === opOf(step[at]!)) column[row++] = step[at++];
    else if (common[row + 1]![at]! >= common[row]![at + 1]!) row++;
    else at++;
  }
  return column;
}
