import { expect, test } from "vitest";
import {
  inspectStep,
  outlineOf,
  trainingStep,
  type Group,
  type InspectDocument,
} from "../../src/inspect/index.js";
import { timeGridOf } from "../../src/inspect/view/time-grid.js";

const stepsIn = (group: Group): Group[] =>
  group.children.flatMap((child) =>
    typeof child === "number" ? [] : child.kind === "steps" ? [child] : stepsIn(child),
  );

test("the steps of an unrolled GRU are columns, its operations rows, every operation in one cell", () => {
  const document = inspectStep(trainingStep("rnn_small", { steps: 5, batch: 1 }), { unfused: true });
  const [steps] = stepsIn(outlineOf(document));
  const { rows, columns, cells } = timeGridOf(document, steps!);
  expect(columns).toEqual(["t = 0", "t = 1", "t = 2", "t = 3", "t = 4"]);
  expect(rows.slice(-4)).toEqual(["tanh", "sub", "mul", "add"]);
  const shown = cells.flat().filter((id) => id !== undefined);
  expect(shown.toSorted((a, b) => a - b)).toEqual(
    document.nodes
      .filter(({ id, kind }) => kind === "operation" && id >= steps!.first && id <= steps!.last)
      .map(({ id }) => id),
  );
  cells.forEach((line, row) =>
    line.forEach((id, column) => {
      expect(document.nodes[id!]).toMatchObject({ op: rows[row], time: column });
    }),
  );
});

test("a step that lacks operations leaves their cells empty", () => {
  const ops = ["mul", "add", "tanh", "mul", "tanh", "mul", "sub", "add", "tanh"];
  const document = {
    nodes: ops.map((op, id) => ({ id, op })),
  } as unknown as InspectDocument;
  const group = (kind: Group["kind"], title: string, children: Group["children"]): Group =>
    ({ kind, title, children, first: 0, last: 8, size: children.length }) as Group;
  const steps = group("steps", "t = 0 … 2", [
    group("step", "t = 0", [0, 1, 2]),
    group("step", "t = 1", [3, group("call", "Linear", [4])]),
    group("step", "t = 2", [5, 6, 7, 8]),
  ]);
  expect(timeGridOf(document, steps)).toEqual({
    rows: ["mul", "sub", "add", "tanh"],
    columns: ["t = 0", "t = 1", "t = 2"],
    cells: [
      [0, 3, 5],
      [undefined, undefined, 6],
      [1, undefined, 7],
      [2, 4, 8],
    ],
  });
});
