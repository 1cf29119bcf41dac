import { serializeReport } from "../bench/report/index.js";
import type { Terminal } from "./terminal.js";

/** Prints a command's one JSON document; a number that JSON cannot hold is written as in a report, `"NaN"`. */
export function printJson(command: string, fields: object, { out }: Terminal): void {
  out(serializeReport({ schemaVersion: 1, command, ...fields }).trimEnd());
}
