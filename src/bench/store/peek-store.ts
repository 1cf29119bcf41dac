import fs from "node:fs";
import path from "node:path";
import type { CellOutcome } from "../cells/result.js";
import type { CellSpec } from "../cells/spec.js";
import { decodeCell, UnusableCell } from "./cell-file.js";
import type { CellStore, KeyedCell } from "./cell-store.js";
import { storeFailure, systemCode } from "./store-failure.js";

/**
 * A folder of finished cells for reading only: nothing is made, moved or written there. A folder that does not exist holds
 * no cell, and a file that cannot be used counts as none.
 *
 * @throws E_STORE from `read` when a file that is there cannot be read
 */
export function peekStore(folder: string): Pick<CellStore, "location" | "read"> {
  const location = path.resolve(folder);
  return {
    location,
    read: <Spec extends CellSpec>({ key }: KeyedCell<Spec>): CellOutcome<Spec> | undefined => {
      const file = path.join(location, `${key}.json`);
      try {
        return decodeCell<Spec>(key, fs.readFileSync(file, "utf8"));
      } catch (error) {
        if (error instanceof UnusableCell) return undefined;
        if (["ENOENT", "ENOTDIR", "EISDIR"].includes(systemCode(error) ?? "")) return undefined;
        return storeFailure("read", file, error);
      }
    },
  };
}
