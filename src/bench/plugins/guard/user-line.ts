import fs from "node:fs";
import path from "node:path";

/**
 * Where in a user's files an error arose: ` at my-idea.ts:12: "const x = y.z;"` for the first frame of its stack in the folder of
 * `file`; empty when there is none.
 */
export function userLine(error: unknown, file: string): string {
  if (!(error instanceof Error) || error.stack === undefined) return "";
  const folder = path.dirname(path.resolve(file));
  for (const frame of error.stack.split("\n")) {
    const [, place, line] =
      /\(?((?:file:\/\/)?\/?[^\s():][^():]*(?::\\[^():]*)?):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (place === undefined || line === undefined) continue;
    const found = path.resolve(place.replace(/^file:\/\//, ""));
    const inside = path.relative(folder, found);
    if (inside.startsWith("..") || path.isAbsolute(inside) || inside.includes("node_modules")) continue;
    const text = lineOf(found, Number(line));
    return ` at ${path.relative(process.cwd(), found)}:${line}${text === "" ? "" : `: \`${text}\``}`;
  }
  return "";
}

function lineOf(file: string, line: number): string {
  try {
    return (fs.readFileSync(file, "utf8").split("\n")[line - 1] ?? "").trim();
  } catch {
    return "";
  }
}
