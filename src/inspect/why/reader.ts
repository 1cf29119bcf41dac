import type { CodeLine, InspectDocument, InspectNode, Summary } from "../document.js";
import { fromJson } from "../json-number.js";
import { stepsOf, type Steps } from "../steps.js";

/** A document with what is asked of it again and again. */
export class Reader {
  readonly steps: Steps;

  constructor(readonly document: InspectDocument) {
    this.steps = stepsOf(document);
  }

  node(id: number): InspectNode {
    return this.document.nodes[id]!;
  }

  /** The gradient of a node at the end; undefined when none was computed. */
  gradient(id: number): Summary | undefined {
    return this.steps.gradientAt(id, this.steps.last).gradient;
  }

  /** Nodes whose value is that of this one without its gradient. */
  copiesOf(id: number): InspectNode[] {
    return this.document.nodes.filter(({ copyOf }) => copyOf === id);
  }

  /** `log #14 (my-loss.ts:12)`, `parameter gru.weight_hh_l0`. */
  title(id: number): string {
    const { op, name, kind, call, source } = this.node(id);
    if (op === undefined) return name ?? `${kind} #${id}`;
    const path = call === undefined ? "" : this.document.calls[call]!.path;
    const places = [path && `in ${path}`, source && lineText(source)].filter(Boolean);
    return `${op} #${id}${places.length > 0 ? ` (${places.join(", ")})` : ""}`;
  }
}

/** `my-loss.ts:12` */
export function lineText({ file, line }: CodeLine): string {
  return `${file.split(/[\\/]/).at(-1)}:${line}`;
}

/** Whether something in it is NaN or infinite. */
export function isNonFinite({ nan = 0, inf = 0, negInf = 0 }: Summary): boolean {
  return nan + inf + negInf > 0;
}

/** Whether there is nothing but zeros in it; an empty array has none. */
export function isZero({ range, zeros, ...rest }: Summary): boolean {
  return zeros > 0 && !isNonFinite({ range, zeros, ...rest }) && range!.every((x) => fromJson(x) === 0);
}

/** `[2,1]`; nothing for a scalar. */
export function elementText(element: readonly number[]): string {
  return element.length === 0 ? "" : ` at element [${element.join(",")}]`;
}

/** A number as a reader wants it. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text =
    Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : String(Number(value.toPrecision(4)));
  return text.replace("-", "−");
}
