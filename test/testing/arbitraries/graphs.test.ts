import { expect, test } from "vitest";
import * as gradstand from "../../../src/autograd/index.js";
import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { graphs } from "../../../src/testing/arbitraries/index.js";
import { graphOps } from "../../../src/testing/arbitraries/graph-ops.js";
import { always, smallest } from "./smallest.js";

/** Runs the text of a graph and gives the value of its last name. */
function pasted(text: string): Tensor {
  const names = ["tensor", "concat", "maximum", "minimum"] as const;
  const last = /const (\w) = [^\n]*$/.exec(text)![1]!;
  const run = new Function(...names, `${text}\nreturn ${last};`) as (...given: unknown[]) => Tensor;
  return run(...names.map((name) => gradstand[name]));
}

test("a graph stays in the domain of its operations, and its gradient is finite", () => {
  always(graphs({ maxSteps: 12, kinks: true }), ({ f, inputs }) => {
    const { value, pullback } = vjp(f, ...inputs);
    for (const x of [value, ...pullback(value)]) expect([...x.values()].every(Number.isFinite)).toBe(true);
    expect(Math.max(0, ...value.values().map(Math.abs))).toBeLessThanOrEqual(60);
  });
});

test("its text, pasted, gives the same value", () => {
  always(graphs({ kinks: true }), (graph) => {
    const found = pasted(String(graph));
    const value = graph.f(...graph.inputs);
    expect(found.shape).toEqual(value.shape);
    expect(found.values()).toEqual(value.values());
  });
});

test("every operation is drawn, kinks only on request", () => {
  const lines = (kinks: boolean): string => {
    const drawn: string[] = [];
    always(graphs({ kinks }), (graph) => void drawn.push(String(graph)), 3000);
    return drawn.join("\n");
  };
  const smooth = lines(false);
  const all = lines(true);
  for (const op of graphOps) {
    const pattern = new RegExp(
      op
        .text("A", "B")
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/A|B/g, "\\w"),
    );
    expect(all).toMatch(pattern);
    if (op.kinked) expect(smooth).not.toMatch(pattern);
    else expect(smooth).toMatch(pattern);
  }
});

test("values are used several times", () => {
  let shared = 0;
  always(graphs(), (graph) => {
    const text = String(graph);
    if (["a", "b", "c"].some((name) => [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length > 2))
      shared++;
  });
  expect(shared).toBeGreaterThan(20);
});

test("a failure shrinks to one operation on one element", () => {
  const graph = smallest(graphs({ maxSteps: 10 }), (g) => !String(g).includes(".tanh()"));
  expect(String(graph)).toMatch(
    /^const a = tensor\(\[\[[01]\]\], { dtype: "float64" }\);\nconst b = a\.tanh\(\);$/,
  );
});

test("a failure that needs one operation on the result of another keeps both", () => {
  const graph = smallest(
    graphs({ maxSteps: 10 }),
    (g) => !/(\w) = \w\.sin\(\);[^]*= \1\.tanh\(\)/.test(String(g)),
  );
  const steps = String(graph)
    .split("\n")
    .filter((line) => !line.includes("tensor("));
  expect(steps).toHaveLength(2);
  expect(steps[0]).toContain(".sin()");
  expect(steps[1]).toContain(".tanh()");
  expect(graph.inputs.every((x) => x.size === 1)).toBe(true);
});
