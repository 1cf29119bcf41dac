import { findings, type Finding, type InspectDocument } from "../../inspect/index.js";
import type { Terminal } from "../terminal.js";

/** Names of leaves shown in one line. */
const mostNames = 4;

/** What deserves a look, each with its line of code. */
export function printFindings(document: InspectDocument, terminal: Terminal): void {
  const { out, colour } = terminal;
  const found = findings(document);
  out(colour.bold(document.subject));
  if (found.length === 0)
    out(`${colour.green("nothing to explain:")} all is finite, and every leaf has a gradient that is not 0`);
  for (const finding of found) printFinding(finding, document, terminal);
}

/** One finding, indented. */
export function printFinding(
  { kind, sentence, source, leaves }: Finding,
  { nodes }: InspectDocument,
  { out, colour }: Terminal,
): void {
  const paint = kind === "not finite" ? colour.red : colour.yellow;
  out(`${paint(`${kind}:`)} ${sentence}`);
  if (source) {
    const within = source.within === undefined ? "" : ` in ${source.within}`;
    out(colour.dim(`    at ${source.file}:${source.line}:${source.column}${within}`));
  }
  if (leaves.length > 1) {
    const names = leaves.map((id) => nodes[id]!.name ?? `leaf #${id}`);
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
    out(colour.dim(`    the same holds for ${names.slice(1, mostNames).join(", ")}${more}`));
  }
}
