import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../src/autograd/index.js";
import {
  expandedGroups,
  inspect,
  inspectStep,
  outlineOf,
  toDot,
  toMermaid,
  toSvg,
  trainingStep,
  type Group,
} from "../../src/inspect/index.js";
import { layered, type Box } from "../../src/inspect/export/layout.js";
import { visibleGraph } from "../../src/inspect/view/visible-graph.js";
import { GRUCell } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";

const rnn = inspectStep(trainingStep("rnn_small", { steps: 4, batch: 1 }), { unfused: true });
const long = inspectStep(trainingStep("rnn_small", { steps: 12, batch: 1, idea: "moment-rank2" }));
const transformer = inspectStep(trainingStep("transformer_tiny", { steps: 4, batch: 1 }));

const groupsIn = (group: Group): Group[] => [
  group,
  ...group.children.flatMap((child) => (typeof child === "number" ? [] : groupsIn(child))),
];
const operationsIn = (group: Group): number[] =>
  group.children.flatMap((child) => (typeof child === "number" ? [child] : operationsIn(child)));

describe("outlineOf", () => {
  test.each([
    ["rnn", rnn],
    ["long", long],
    ["transformer", transformer],
  ])("holds every operation of %s once, in order, each group a row of them", (_, document) => {
    const root = outlineOf(document);
    const operations = document.nodes.filter(({ kind }) => kind === "operation").map(({ id }) => id);
    expect(operationsIn(root)).toEqual(operations);
    for (const group of groupsIn(root)) {
      const inside = operationsIn(group);
      expect(inside).toEqual(operations.filter((id) => id >= group.first && id <= group.last));
      expect(group.size).toBe(inside.length);
    }
  });

  test("puts modules inside modules, and steps inside the module that takes them", () => {
    const titles = (root: Group): string[] => groupsIn(root).map(({ title }) => title);
    expect(titles(outlineOf(rnn))).toEqual([
      rnn.subject,
      "RnnSmall",
      "gru GRU",
      "t = 0 … 3",
      "t = 0",
      "t = 1",
      "t = 2",
      "t = 3",
      "head Linear",
    ]);
    expect(titles(outlineOf(transformer))).toEqual(
      expect.arrayContaining([
        "layers.0 TransformerBlock",
        "self_attn MultiHeadAttention",
        "out_proj Linear",
      ]),
    );
  });

  test("a cell that a function calls: its steps are the function's", () => {
    const cell = new GRUCell(1, 2, { rng: generator(3).stream("cell") });
    const run = (x: Tensor): Tensor => cell.forward(x, cell.forward(x, cell.forward(x)));
    const [root] = [outlineOf(inspect(run, [tensor([[1]])], { modules: { cell } }))];
    expect(groupsIn(root).map(({ title }) => title)).toEqual([
      "run",
      "t = 0 … 2",
      ...[0, 1, 2].flatMap((t) => [`t = ${t}`, `cell GRUCell${t > 0 ? ` (call ${t + 1})` : ""}`]),
    ]);
  });
});

describe("visibleGraph", () => {
  test.each([5, 20, 60, 1000])("shows at most %i boxes of operations, each once, edges forwards", (most) => {
    for (const document of [rnn, long, transformer]) {
      const { nodes, edges } = visibleGraph(document, most);
      const shown = nodes.filter(({ kind }) => kind === "operation" || kind === "group");
      expect(shown.length).toBeLessThanOrEqual(Math.max(most, outlineOf(document).children.length));
      const order = new Map(nodes.map(({ key }, at) => [key, at]));
      expect(order.size).toBe(nodes.length);
      for (const { from, to } of edges) expect(order.get(from)!).toBeLessThan(order.get(to)!);
    }
  });

  test("closes a long row of steps, and shows every operation where there is room", () => {
    const titles = visibleGraph(long, 1000).nodes.map(({ lines }) => lines[0]);
    expect(titles).toContain("t = 0 … 11");
    const all = visibleGraph(rnn, 1000).nodes.filter(({ kind }) => kind === "operation");
    expect(all).toHaveLength(rnn.nodes.filter(({ kind }) => kind === "operation").length);
    expect(expandedGroups(outlineOf(rnn), 1).size).toBe(1);
  });

  test("marks what is not finite, zero, and not computed", () => {
    const document = inspect(
      (x, y) => x!.log().mul(y!.relu()).sum(),
      [tensor([1, 0]), tensor([-1, -2]), tensor([1])],
    );
    const marks = Object.fromEntries(
      visibleGraph(document, 100).nodes.map(({ lines, mark }) => [lines[0]!.split(" #")[0], mark]),
    );
    expect(marks).toMatchObject({ log: "not finite", "input 2": "no gradient" });
    const dead = inspect((x) => x.relu().sum(), [tensor([-1, -2])]);
    expect(visibleGraph(dead, 100).nodes[0]).toMatchObject({ mark: "zero gradient" });
  });
});

describe("layered", () => {
  const graphs = fc
    .array(
      fc.record({
        width: fc.integer({ min: 1, max: 200 }),
        height: fc.integer({ min: 1, max: 40 }),
        from: fc.array(fc.nat(), { maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 25 },
    )
    .map((drawn) => ({
      boxes: drawn.map(({ width, height }, i): Box => ({ key: `b${i}`, width, height })),
      edges: drawn.flatMap(({ from }, to) =>
        to === 0
          ? []
          : [...new Set(from.map((one) => one % to))].map((one) => ({ from: `b${one}`, to: `b${to}` })),
      ),
    }));

  test("boxes never overlap and lie inside the drawing; edges lead down, from box to box", () => {
    fc.assert(
      fc.property(graphs, ({ boxes, edges }) => {
        const { places, paths, width, height } = layered(boxes, edges);
        const placed = boxes.map(({ key, ...size }) => ({ ...size, ...places.get(key)! }));
        placed.forEach((a, i) => {
          expect(Math.min(a.x, a.y)).toBeGreaterThanOrEqual(0);
          expect(a.x + a.width).toBeLessThanOrEqual(width);
          expect(a.y + a.height).toBeLessThanOrEqual(height);
          for (const b of placed.slice(0, i)) {
            const apart =
              a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
            expect(apart).toBe(true);
          }
        });
        edges.forEach(({ from, to }, i) => {
          const [start, end] = [placed[Number(from.slice(1))]!, placed[Number(to.slice(1))]!];
          const [[x0, y0], [x1, y1]] = [paths[i]![0]!, paths[i]!.at(-1)!];
          expect([x0, y0]).toEqual([start.x + start.width / 2, start.y + start.height]);
          expect([x1, y1]).toEqual([end.x + end.width / 2, end.y]);
          paths[i]!.slice(1).forEach(([, y], at) => expect(y).toBeGreaterThan(paths[i]![at]![1]));
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe("toSvg", () => {
  const svg = toSvg(rnn);
  const boxes = [
    ...svg.matchAll(
      /<rect class="box[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="[\d.]+"\/>(.*?)<\/g>/g,
    ),
  ];

  test("every label lies inside its box, at a width of its own, and no box over another", () => {
    expect(boxes.length).toBe(visibleGraph(rnn, 150).nodes.length);
    const sizes = boxes.map(([, ...numbers]) => numbers.slice(0, 4).map(Number));
    boxes.forEach(([, , , , , labels], i) => {
      const [x, y, width, height] = sizes[i] as [number, number, number, number];
      const texts = [...labels!.matchAll(/<text x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"/g)];
      expect(texts.length).toBeGreaterThanOrEqual(2);
      for (const [, left, base, length] of texts) {
        expect(Number(left)).toBeGreaterThanOrEqual(x);
        expect(Number(left) + Number(length)).toBeLessThanOrEqual(x + width + 0.2);
        expect(Number(base)).toBeGreaterThan(y);
        expect(Number(base)).toBeLessThan(y + height);
      }
      for (const [a, b, w, h] of sizes.slice(0, i) as [number, number, number, number][])
        expect(x + width <= a + 0.2 || a + w <= x + 0.2 || y + height <= b + 0.2 || b + h <= y + 0.2).toBe(
          true,
        );
    });
  });

  test("names that mean something in markup are text", () => {
    const drawing = toSvg(inspect((x) => x.exp(), [tensor([1])], { names: ['<b>&"'], subject: "a < b" }));
    expect(drawing).toContain("&lt;b&gt;&amp;&quot;");
    expect(drawing).toContain("<title>a &lt; b</title>");
    expect(drawing).not.toContain("<b>");
  });
});

test("DOT and Mermaid quote what would end a label, and close every cluster", () => {
  const named = inspect((x) => x.exp(), [tensor([1])], { names: ['a"b\\;]'] });
  expect(toDot(named)).toContain('label="a\\"b\\\\;]\\n[1]');
  expect(toMermaid(named)).toContain('"a#34;b#92;#59;#93;<br/>');
  const dot = toDot(transformer);
  expect(dot.match(/\{/g)!.length).toBe(dot.match(/\}/g)!.length);
  for (const [, key] of dot.matchAll(/^ +(?:\w+) -> (\w+);$/gm))
    expect(dot).toMatch(new RegExp(`^ +${key} \\[label=`, "m"));
});
