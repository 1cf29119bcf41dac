import fs from "node:fs";
import type { CheckLine } from "../../testing/gradcheck-file/index.js";
import type { Terminal } from "../terminal.js";

/** An annotation for GitHub on each check that failed, at the line of the file where its subject is named. */
export function annotate(file: string, lines: readonly CheckLine[], { err }: Terminal): void {
  const source = fs.readFileSync(file, "utf8").split("\n");
  for (const { subject, check, status, message = "" } of lines) {
    if (status !== "failed") continue;
    const line = lineOf(subject, source);
    err(
      `::error file=${property(file)}${line === undefined ? "" : `,line=${line}`},title=${property(`${subject}: ${check}`)}::${data(message)}`,
    );
  }
}

/** The first line that names a subject, counted from 1; of `cases[1]` or `idea.hidden` that of the first word. */
function lineOf(subject: string, source: readonly string[]): number | undefined {
  for (const name of [subject, /^[\w$-]+/.exec(subject)?.[0]]) {
    const at = name ? source.findIndex((line) => line.includes(name)) : -1;
    if (at >= 0) return at + 1;
  }
  return undefined;
}

/** Text as GitHub's workflow commands want it. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
