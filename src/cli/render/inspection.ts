import {
  expandedGroups,
  findings,
  outlineOf,
  stepsOf,
  type Group,
  type InspectDocument,
  type Steps,
  type Summary,
} from "../../inspect/index.js";
import { isNonFinite, isZero, numberText } from "../../inspect/why/reader.js";
import type { Terminal } from "../terminal.js";
import { printFinding } from "./findings.js";

const bars = "▁▂▃▄▅▆▇█";

/** Inputs of an operation that are named. */
const mostInputs = 5;

interface Row {
  readonly label: string;
  readonly cells: readonly string[];
  readonly mark: "" | "red" | "yellow" | "dim";
}

/** A recorded computation as a tree of modules and operations, its leaves, and what deserves a look. */
export function printInspection(document: InspectDocument, terminal: Terminal, most: number): void {
  const { out, colour } = terminal;
  const { nodes, events, output, subject, unfused } = document;
  const steps = stepsOf(document);
  const root = outlineOf(document);
  out(colour.bold(subject));
  out(`${root.size} operations, ${events.length} contributions to gradients${unfused ? ", unfused" : ""}`);
  out("");
  const tree = [
    headRow("operation", "value"),
    ...treeRows(document, steps, root, expandedGroups(root, most)),
  ];
  const leaves = nodes.filter(({ kind }) => kind === "leaf");
  const table = leaves.map(({ id, name }) => nodeRow(document, steps, id, name ?? `leaf #${id}`));
  print(tree, terminal);
  if (leaves.length > 0) {
    out("");
    print([headRow("leaf", "value"), ...table], terminal);
  }
  const result = nodes[output]!;
  out("");
  out(`output: ${result.op ?? result.name} #${output} ${valueText(result.value)}`);
  for (const finding of findings(document)) printFinding(finding, document, terminal);
}

const headRow = (first: string, value: string): Row => ({
  label: first,
  cells: ["shape", value, "gradient"],
  mark: "dim",
});

function treeRows(document: InspectDocument, steps: Steps, root: Group, open: ReadonlySet<Group>): Row[] {
  const rows: Row[] = [];
  const visit = (group: Group, indent: string): void =>
    group.children.forEach((child, i) => {
      const isLast = i === group.children.length - 1;
      const [branch, below] = [indent + (isLast ? "└ " : "├ "), indent + (isLast ? "  " : "│ ")];
      if (typeof child === "number") {
        rows.push(nodeRow(document, steps, child, `${branch}${operationLabel(document, child)}`));
      } else if (open.has(child)) {
        rows.push({ label: `${branch}${child.title}`, cells: [], mark: "" });
        visit(child, below);
      } else {
        const trace = child.kind === "steps" ? ` ${traceOf(steps, child)}` : "";
        const row = nodeRow(
          document,
          steps,
          child.last,
          `${branch}${child.title} (${child.size} operations)${trace}`,
        );
        const inside = document.nodes.slice(child.first, child.last + 1);
        const spoilt = inside.some(({ id }) => isNonFinite(document.nodes[id]!.value));
        rows.push(spoilt ? { ...row, mark: "red" } : row);
      }
    });
  visit(root, "");
  return rows;
}

/** The gradient norm at the end of each step, as bars over the logarithm. */
function traceOf(steps: Steps, { children }: Group): string {
  const norms = children.map((child) => {
    const last = typeof child === "number" ? child : child.last;
    return Number(steps.gradientAt(last, steps.last).gradient?.norm ?? NaN);
  });
  const logs = norms.map((norm) => (norm > 0 && norm < Infinity ? Math.log10(norm) : NaN));
  const finite = logs.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  return logs
    .map((log) =>
      Number.isNaN(log) ? "·" : bars[high > low ? Math.round(((log - low) / (high - low)) * 7) : 3],
    )
    .join("");
}

/** `affine #34 ← #33, weight, bias`; parameters as seen from their module. */
function operationLabel({ nodes, calls }: InspectDocument, id: number): string {
  const { op, inputs = [], call } = nodes[id]!;
  const around = call === undefined ? "" : `${calls[call]!.path}.`;
  const inputText = (input: number): string => {
    const { kind, name, value, shape } = nodes[input]!;
    if (name !== undefined) return name.startsWith(around) ? name.slice(around.length) : name;
    if (kind === "constant" && shape.length === 0) return numberText(Number(value.values?.[0]));
    return `#${input}`;
  };
  const more = inputs.length > mostInputs ? `, … ${inputs.length - mostInputs} more` : "";
  return `${op} #${id} ← ${inputs.slice(0, mostInputs).map(inputText).join(", ")}${more}`;
}

function nodeRow({ nodes }: InspectDocument, steps: Steps, id: number, label: string): Row {
  const { shape, value, requiresGrad, op } = nodes[id]!;
  const { gradient } = steps.gradientAt(id, steps.last);
  const nothing = gradient !== undefined && isZero(gradient);
  const spoilt = isNonFinite(value) || (gradient !== undefined && isNonFinite(gradient));
  const mark = spoilt ? "red" : nothing || (!gradient && requiresGrad) ? "yellow" : "";
  const norm = gradient && numberText(Number(gradient.norm));
  const shown = !gradient
    ? requiresGrad
      ? "not computed"
      : "–"
    : op === "gruTurnstile"
      ? `${norm} steps`
      : `${nothing ? "0" : `‖${norm}‖`}${flags(gradient)}`;
  return { label, cells: [`[${shape.join(",")}]`, valueText(value), shown], mark };
}

function valueText(value: Summary): string {
  const { values, range } = value;
  if (values?.length === 1) return numberText(Number(values[0]));
  const span = range === null ? "" : `${numberText(Number(range[0]))} … ${numberText(Number(range[1]))}`;
  return `${span}${flags(value)}`;
}

function flags({ nan, inf, negInf }: Summary): string {
  return [nan && ` ${nan} NaN`, inf && ` ${inf}×+∞`, negInf && ` ${negInf}×−∞`].filter(Boolean).join("");
}

function print(rows: readonly Row[], { out, colour }: Terminal): void {
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map(({ cells }) => cells[i]?.length ?? 0)));
  const first = Math.min(60, Math.max(...rows.map(({ label }) => label.length)));
  for (const { label, cells, mark } of rows) {
    const text =
      `${label.padEnd(first)}  ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join("  ")}`.trimEnd();
    out(mark === "" ? text : colour[mark](text));
  }
}
