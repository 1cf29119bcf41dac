import type { InspectDocument } from "../document.js";
import { isNonFinite, isZero, numberText, Reader } from "../why/reader.js";
import { expandedGroups } from "./expanded.js";
import { outlineOf, type Group } from "./outline.js";

/** What a reader must notice. */
export type Mark = "not finite" | "zero gradient" | "no gradient";

/** A box of a drawing: an operation, a leaf, or a closed group. */
export interface VisibleNode {
  readonly key: string;
  readonly kind: "leaf" | "constant" | "operation" | "group";
  /** Two or three short lines. */
  readonly lines: readonly string[];
  readonly mark: Mark | undefined;
  /** The open groups that it lies in, outermost first, without the outermost of all. */
  readonly within: readonly Group[];
  /** Of an operation or a leaf, its node; of a closed group, its last. */
  readonly node: number;
  /** Of a closed group. */
  readonly group?: Group;
}

/** A drawing of a computation; edges lead from earlier boxes to later ones. */
export interface VisibleGraph {
  readonly nodes: readonly VisibleNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** The box of each node that is drawn or inside a closed group, but for leaves inside one. */
  readonly boxOf: ReadonlyMap<number, VisibleNode>;
}

/**
 * The computation as a graph of at most about `most` boxes: modules and time steps beyond that are closed, each one box.
 */
export function visibleGraph(document: InspectDocument, most: number): VisibleGraph {
  const root = outlineOf(document);
  return graphOf(new Reader(document), root, expandedGroups(root, most));
}

/**
 * The same with these groups open. Leaves that only one closed group uses are inside it; constants without a name are left out.
 *
 * @param root the outline of the reader's document
 */
export function graphOf(reader: Reader, root: Group, open: { has(group: Group): boolean }): VisibleGraph {
  const { document } = reader;
  const nodes: VisibleNode[] = [];
  const boxOf = new Map<number, VisibleNode>();
  const visit = (child: Group | number, within: readonly Group[]): void => {
    if (typeof child === "number") {
      const node = operationBox(reader, child, within);
      nodes.push(node);
      boxOf.set(child, node);
    } else if (open.has(child)) {
      const inside = child === root ? within : [...within, child];
      for (const one of child.children) visit(one, inside);
    } else {
      const node = groupBox(reader, child, within);
      nodes.push(node);
      for (let id = child.first; id <= child.last; id++)
        if (document.nodes[id]!.kind === "operation") boxOf.set(id, node);
    }
  };
  visit(root, []);
  const leaves: VisibleNode[] = [];
  for (const { id, kind, name } of document.nodes) {
    if (kind === "operation" || (kind === "constant" && name === undefined)) continue;
    const users = new Set(reader.steps.usersOf(id).map((user) => boxOf.get(user)!));
    const [only] = users;
    if (users.size === 1 && only!.kind === "group") continue;
    const node = leafBox(reader, id);
    leaves.push(node);
    boxOf.set(id, node);
  }
  const seen = new Set<string>();
  const edges = document.nodes.flatMap(({ id, inputs = [] }) =>
    inputs.flatMap((input) => {
      const [from, to] = [boxOf.get(input)?.key, boxOf.get(id)!.key];
      if (from === undefined || from === to || seen.has(`${from} ${to}`)) return [];
      seen.add(`${from} ${to}`);
      return [{ from, to }];
    }),
  );
  return { nodes: [...leaves, ...nodes], edges, boxOf };
}

const shapeText = (shape: readonly number[]): string => `[${shape.join(",")}]`;

/** `‖g‖ 0.0123`, or what there is instead of it. */
export function gradientText(reader: Reader, id: number): string {
  const gradient = reader.gradient(id);
  if (!gradient) return reader.node(id).requiresGrad ? "g not computed" : "no g";
  if (reader.node(id).op === "gruTurnstile") return `of ${numberText(Number(gradient.norm))} steps`;
  return isNonFinite(gradient) ? "g not finite" : `‖g‖ ${numberText(Number(gradient.norm))}`;
}

/** What must be noticed about a node. */
export function markOf(reader: Reader, id: number): Mark | undefined {
  const { value, requiresGrad } = reader.node(id);
  const gradient = reader.gradient(id);
  if (isNonFinite(value) || (gradient && isNonFinite(gradient))) return "not finite";
  if (gradient) return isZero(gradient) ? "zero gradient" : undefined;
  return requiresGrad ? "no gradient" : undefined;
}

function operationBox(reader: Reader, id: number, within: readonly Group[]): VisibleNode {
  const { op, shape } = reader.node(id);
  const lines = [`${op} #${id}`, `${shapeText(shape)} ${gradientText(reader, id)}`];
  return { key: `n${id}`, kind: "operation", lines, mark: markOf(reader, id), within, node: id };
}

function leafBox(reader: Reader, id: number): VisibleNode {
  const { kind, name, shape } = reader.node(id);
  const lines = [name ?? `${kind} #${id}`, `${shapeText(shape)} ${gradientText(reader, id)}`];
  const mark = markOf(reader, id);
  return { key: `n${id}`, kind: kind as "leaf" | "constant", lines, mark, within: [], node: id };
}

function groupBox(reader: Reader, group: Group, within: readonly Group[]): VisibleNode {
  const { title, size, first, last } = group;
  const ids = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const marks = ids.filter((id) => reader.node(id).kind === "operation").map((id) => markOf(reader, id));
  const mark = marks.includes("not finite") ? "not finite" : markOf(reader, last);
  const { shape } = reader.node(last);
  const lines = [title, `${size} operations`, `${shapeText(shape)} ${gradientText(reader, last)}`];
  return { key: `g${first}`, kind: "group", lines, mark, within, node: last, group };
}
