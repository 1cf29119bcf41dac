import { fail } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import { canonicalJson } from "../cells/canonical.js";
import type { CellOutcome } from "../cells/result.js";
import { describeCell, type CellSpec } from "../cells/spec.js";

/** A cell and its name in the store. */
export interface KeyedCell<Spec extends CellSpec = CellSpec> {
  readonly key: string;
  readonly spec: Spec;
}

/** Where finished cells are kept. Each is written once, and what was written first stays. */
export interface CellStore {
  /** The folder, or `memory`. */
  readonly location: string;
  /**
   * The stored outcome of a cell; undefined when there is none.
   *
   * @throws E_STORE when the store cannot be read
   */
  read<Spec extends CellSpec>(cell: KeyedCell<Spec>): CellOutcome<Spec> | undefined;
  /**
   * Stores an outcome, and gives what is stored in the end: an earlier outcome of the same cell, if there is one.
   *
   * @throws E_STORE when it cannot be written; nothing half-written stays
   * @throws E_NONDETERMINISM when the earlier result differs in one bit
   */
  write<Spec extends CellSpec>(cell: KeyedCell<Spec>, outcome: CellOutcome<Spec>): CellOutcome<Spec>;
}

/** Throws E_NONDETERMINISM unless both results are the same to the bit, or are measurements, of which the first counts. */
export function requireSameResult<Spec extends CellSpec>(
  cell: KeyedCell<Spec>,
  first: CellOutcome<Spec>,
  second: CellOutcome<Spec>,
): void {
  if (cell.spec.kind === "study" && cell.spec.machine !== undefined) return;
  const difference = firstDifference(
    first.result as unknown as Json,
    second.result as unknown as Json,
    "result",
  );
  if (difference !== undefined) {
    fail(
      "E_NONDETERMINISM",
      `the cell ${describeCell(cell.spec)} (${cell.key.slice(0, 12)}) gave two results: ${difference}; the first stays ` +
        "stored",
    );
  }
}

/** Where two values differ, as a path with both values; undefined when they are the same to the bit. */
function firstDifference(a: Json, b: Json, where: string): string | undefined {
  const [textA, textB] = [canonicalJson(a), canonicalJson(b)];
  if (textA === textB) return undefined;
  if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const inside = firstDifference(a[key] ?? null, b[key] ?? null, `${where}.${key}`);
      if (inside !== undefined) return inside;
    }
  }
  const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return `${where} was ${shown(textA)} and is ${shown(textB)}`;
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return value !== null && typeof value === "object";
}
