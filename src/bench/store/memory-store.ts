import type { CellOutcome } from "../cells/result.js";
import type { CellSpec } from "../cells/spec.js";
import { requireSameResult, type CellStore, type KeyedCell } from "./cell-store.js";

/** A store that forgets everything when the process ends. */
export function memoryStore(): CellStore {
  const outcomes = new Map<string, CellOutcome>();
  return {
    location: "memory",
    read: <Spec extends CellSpec>({ key }: KeyedCell<Spec>) =>
      outcomes.get(key) as CellOutcome<Spec> | undefined,
    write: <Spec extends CellSpec>(cell: KeyedCell<Spec>, outcome: CellOutcome<Spec>) => {
      const earlier = outcomes.get(cell.key) as CellOutcome<Spec> | undefined;
      if (earlier === undefined) {
        outcomes.set(cell.key, outcome as CellOutcome);
        return outcome;
      }
      requireSameResult(cell, earlier, outcome);
      return earlier;
    },
  };
}
