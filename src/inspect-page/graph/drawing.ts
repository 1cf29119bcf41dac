import { layered, type Layout } from "../../inspect/export/layout.js";
import type { Group } from "../../inspect/view/outline.js";
import { timeGridOf, type TimeGrid } from "../../inspect/view/time-grid.js";
import { graphOf, type VisibleGraph, type VisibleNode } from "../../inspect/view/visible-graph.js";
import { shapeText } from "../parts/number-text.js";
import type { Recording } from "../state/recording.js";

/** Width of a monospaced letter of 12 px, and what stands around the text of a box. */
const letter = 7.25;
const padding = 18;

/** A box of the graph with its place. */
export interface PlacedBox {
  readonly box: VisibleNode;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of an open row of time steps. */
  readonly grid?: TimeGrid;
}

/** An open group with the rectangle around its boxes. */
export interface Hull {
  readonly group: Group;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Where its name starts: names of hulls that start together stand one after another. */
  readonly nameX: number;
}

/** The graph as it is drawn. */
export interface Drawing {
  readonly graph: VisibleGraph;
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly d: string }[];
  readonly hulls: readonly Hull[];
  readonly width: number;
  readonly height: number;
}

/** What the cells of a grid of time steps measure. */
export function gridMeasures(grid: TimeGrid): { cell: number; row: number; labels: number; head: number } {
  const columns = Math.max(grid.columns.length, 1);
  const labels = Math.max(...grid.rows.map((row) => row.length), 4) * 6.7 + 12;
  return { cell: Math.min(Math.max(Math.floor(640 / columns), 6), 26), row: 16, labels, head: 46 };
}

/** Places the boxes of a recording; a row of time steps that is open is one box, a grid. */
export function draw(recording: Recording, open: ReadonlySet<Group>): Drawing {
  const isOpen = { has: (group: Group) => group.kind !== "steps" && open.has(group) };
  const graph = graphOf(recording.reader, recording.root, isOpen);
  const measured = graph.nodes.map((box) => {
    const title = titleOf(recording, box);
    const grid = box.group && open.has(box.group) ? timeGridOf(recording.document, box.group) : undefined;
    return { box, title, ...sizeOf(recording, box, title, grid), ...(grid && { grid }) };
  });
  const layout = layered(
    measured.map(({ box: { key }, width, height }) => ({ key, width, height })),
    graph.edges,
  );
  const boxes = measured.map((one) => ({ ...one, ...layout.places.get(one.box.key)! }));
  return {
    graph,
    boxes,
    edges: graph.edges.map((edge, i) => ({ ...edge, d: curve(layout.paths[i]!) })),
    hulls: hullsOf(graph, boxes),
    width: layout.width,
    height: layout.height,
  };
}

function titleOf(recording: Recording, { kind, node, group }: VisibleNode): string {
  if (group) return group.title;
  return kind === "operation" ? recording.label(node) : recording.shortLabel(node);
}

function sizeOf(
  recording: Recording,
  { node, group }: VisibleNode,
  title: string,
  grid: TimeGrid | undefined,
): { width: number; height: number } {
  if (grid) {
    const { cell, row, labels, head } = gridMeasures(grid);
    const width = Math.max(labels + cell * grid.columns.length + 16, 260);
    return { width, height: head + row * grid.rows.length + 12 };
  }
  const { shape } = recording.node(node);
  const shown = shape.length === 0 ? 9 : shapeText(shape).length;
  const letters = Math.max(title.length + (group ? 2 : 0), shown + 14);
  return { width: letters * letter + padding, height: 42 };
}

/** A smooth line through points, upright where it starts and ends. */
function curve(points: Layout["paths"][number]): string {
  const [first, ...rest] = points;
  let [x0, y0] = first!;
  let d = `M${x0.toFixed(1)} ${y0.toFixed(1)}`;
  for (const [x, y] of rest) {
    const middle = (y0 + y) / 2;
    d += `C${x0.toFixed(1)} ${middle.toFixed(1)} ${x.toFixed(1)} ${middle.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)}`;
    [x0, y0] = [x, y];
  }
  return d;
}

/** The groups that a box lies in; a leaf lies where all lie that use it. */
function groupsAround({ nodes, edges }: VisibleGraph): Map<string, readonly Group[]> {
  const around = new Map(nodes.map(({ key, within }) => [key, within]));
  for (const { key, kind } of nodes) {
    if (kind !== "leaf" && kind !== "constant") continue;
    const [first = [], ...others] = edges.flatMap(({ from, to }) => (from === key ? [around.get(to)!] : []));
    const apart = first.findIndex((group, depth) => others.some((other) => other[depth] !== group));
    around.set(key, apart < 0 ? first : first.slice(0, apart));
  }
  return around;
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const frameOf = ({ x, y, width, height }: PlacedBox): Frame => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});

const union = (a: Frame, b: Frame): Frame => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

const meet = (a: Frame, b: Frame): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The frame of each open group: its operations and what lies in it, and those of its leaves that bring nothing foreign in. */
function framesOf(
  graph: VisibleGraph,
  boxes: readonly PlacedBox[],
): Map<Group, Frame & { readonly depth: number }> {
  const around = groupsAround(graph);
  const depths = new Map<Group, number>();
  for (const groups of around.values()) groups.forEach((group, depth) => depths.set(group, depth));
  const frames = new Map<Group, Frame & { readonly depth: number }>();
  for (const [group, depth] of [...depths].sort(([, a], [, b]) => b - a)) {
    const isInside = ({ box }: PlacedBox): boolean => around.get(box.key)![depth] === group;
    const inside = boxes.filter(isInside);
    const foreign = boxes.filter((box) => !isInside(box)).map(frameOf);
    const [own, leaves] = [true, false].map((wanted) =>
      inside.filter(({ box }) => box.within.length > 0 === wanted),
    );
    const parts = [...frames].filter(([part]) =>
      inside.some(({ box }) => around.get(box.key)!.includes(part)),
    );
    let frame = [...own!.map(frameOf), ...parts.map(([, part]) => part as Frame)].reduce(union);
    for (const leaf of leaves!) {
      const larger = union(frame, frameOf(leaf));
      if (!foreign.some((other) => meet(larger, other))) frame = larger;
    }
    frames.set(group, { ...frame, depth });
  }
  return frames;
}

function hullsOf(graph: VisibleGraph, boxes: readonly PlacedBox[]): Hull[] {
  const frames = framesOf(graph, boxes);
  const deepest = Math.max(...[...frames.values()].map(({ depth }) => depth), 0);
  const hulls: Hull[] = [];
  for (const [group, { depth, left, top, right, bottom }] of [...frames].reverse()) {
    const margin = 5 + 4 * (deepest - depth);
    const [x, y] = [left - margin, top - margin - 7];
    const before = hulls.findLast(
      (one) => Math.abs(one.y - y) < 20 && one.nameX < right && one.nameX + nameWidth(one.group.title) > x,
    );
    const nameX = before ? Math.max(x + 10, before.nameX + nameWidth(before.group.title)) : x + 10;
    hulls.push({
      group,
      depth,
      x,
      y,
      width: right - left + 2 * margin,
      height: bottom - top + 2 * margin + 8,
      nameX,
    });
  }
  return hulls;
}

/** What the name of a hull takes: sans serif of 11.5 px, a sign, and space around. */
const nameWidth = (title: string): number => title.length * 6.9 + 30;
