import { describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../src/autograd/index.js";
import {
  findings,
  inspect,
  inspectStep,
  stepsOf,
  trainingStep,
  whyNaN,
  whyZero,
  type InspectDocument,
  type TrainingStep,
} from "../../src/inspect/index.js";
import {
  deadRelu,
  detachedParameter,
  divisionByZero,
  hiddenQuery,
  hiddenRow,
  hiddenRowByHand,
  logOfZero,
  overflow,
  type Planted,
} from "./planted-faults.js";

const stepOf = (model: string): TrainingStep => trainingStep(model, { steps: 6, batch: 3 });
const record = (step: TrainingStep, { loss }: Planted): InspectDocument =>
  inspectStep({ ...step, loss }, { sources: true });
const leafOf = ({ nodes }: InspectDocument, name: string): number =>
  nodes.findIndex((node) => node.name === name);
const opOf = ({ nodes }: InspectDocument, id: number | undefined): string | undefined => nodes[id!]!.op;

describe.each(["rnn_small", "transformer_tiny"])("a training step of %s", (name) => {
  test("without a fault: nothing is found", () => {
    const document = inspectStep(stepOf(name));
    expect(whyNaN(document)).toBeUndefined();
    expect(findings(document).filter(({ kind }) => kind !== "no gradient")).toEqual([]);
    expect(whyZero(document, leafOf(document, "head.weight"))).toMatchObject({ status: "not zero" });
  });

  test.each([
    ["log of 0", logOfZero, "log", /^log of 0 at element \[0,0\] gives −∞/],
    ["division by 0", divisionByZero, "div", /was divided by 0 at element \[0,0\], which gives/],
    [
      "overflow in exp",
      overflow,
      "exp",
      /^exp of \d+(\.\d+)? at element \[0,0\] overflows: it is beyond the largest float32/,
    ],
    [
      "a hidden row, by hand",
      hiddenRowByHand,
      "sub",
      /^−∞ − −∞ at element \[1,0\] gives NaN.*put in by where #\d+ .*whole row/,
    ],
  ])("why NaN: %s", (_, plant, op, sentence) => {
    const step = stepOf(name);
    const planted = plant(step);
    const document = record(step, planted);
    const cause = whyNaN(document)!;
    expect(opOf(document, cause.node)).toBe(op);
    expect(cause.sentence).toMatch(sentence);
    expect(cause.source).toMatchObject({ line: planted.line });
    expect(cause.source!.file).toMatch(/planted-faults\.ts$/);
    expect(cause.reaches).toBe("output");
    expect(cause.trail[0]).toBe(cause.node);
    expect(cause.trail.at(-1)).toBe(document.output);
  });

  test("why zero: a mask that hides every row, and a finding for one that hides a single row", () => {
    const step = stepOf(name);
    const planted = hiddenRow(step, "all");
    const document = record(step, planted);
    const cause = whyZero(document, leafOf(document, "head.weight"));
    expect(cause).toMatchObject({ status: "zero", source: { line: planted.line } });
    expect(opOf(document, cause.cause)).toBe("softmax");
    expect(cause.sentence).toContain(
      "a mask hides the whole of row [0] from softmax (3 of 3 rows are −∞ everywhere)",
    );

    const single = hiddenRow(step, 1);
    const [found, ...more] = findings(record(step, single)).filter(({ kind }) => kind !== "no gradient");
    expect(found).toMatchObject({ kind: "hidden rows", source: { line: single.line } });
    expect(found!.sentence).toContain("the whole of row [1] from softmax (1 of 3 rows");
    expect(more).toEqual([]);
  });

  test("why zero: a dead relu layer", () => {
    const step = stepOf(name);
    const planted = deadRelu(step);
    const document = record(step, planted);
    const cause = whyZero(document, leafOf(document, "head.weight"));
    expect(cause).toMatchObject({ status: "zero", source: { line: planted.line } });
    expect(opOf(document, cause.cause)).toBe("relu");
    expect(cause.sentence).toMatch(/relu is dead: all \d+ of its inputs are at most 0 \(the largest is −\d+/);
    expect(cause.trail[0]).toBe(cause.cause);
    expect(cause.trail.at(-1)).toBe(cause.node);
    expect(opOf(document, document.events[cause.event!]!.from!)).toBe("relu");
    // Every parameter is told once, with the one cause.
    const zero = findings(document).filter(({ kind }) => kind === "zero gradient");
    expect(zero).toHaveLength(1);
    expect(zero[0]!.leaves).toHaveLength(step.model.module.parameters().length);
  });

  test("why not computed: a detached parameter", () => {
    const step = stepOf(name);
    const planted = detachedParameter(step);
    const document = record(step, planted);
    const cause = whyZero(document, leafOf(document, "head.weight"));
    expect(cause).toMatchObject({ status: "not computed", source: { line: planted.line } });
    expect(opOf(document, cause.cause)).toBe("matmul");
    expect(cause.sentence).toContain("uses a copy of head.weight without its gradient");
    expect(findings(document)).toMatchObject([
      { kind: "no gradient", leaves: [leafOf(document, "head.weight")] },
    ]);
  });
});

test("a mask that hides a whole row from a transformer's own attention", () => {
  const step = stepOf("transformer_tiny");
  const planted = hiddenQuery(step);
  const [found] = findings(record(step, planted));
  expect(found).toMatchObject({ kind: "hidden rows", source: { line: planted.line } });
  expect(found!.sentence).toContain("the whole of row [0,0,2] from headsAttention (12 of 72 rows");
});

describe("dead units", () => {
  const rows = Array.from({ length: 16 }, (_, i) => [i - 8, -1 - i, i, -0.5]);
  const found = (x: number[][]): ReturnType<typeof findings> =>
    findings(inspect((a) => a.relu().sum(), [tensor(x)], { sources: true }));

  test("units of a relu that are 0 for every row are told, those that live for one row are not", () => {
    const [finding, ...others] = found(rows);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ kind: "dead units", node: 1, leaves: [] });
    expect(finding!.source!.file).toMatch(/why\.test\.ts$/);
    expect(finding!.sentence).toMatch(
      /^2 of 4 units of relu are dead: 0 in all 16 rows, so that nothing flows back through them; the first is unit 1 \[relu #1/,
    );
    const one = found(rows.map(([a, b, c]) => [a!, b!, c!]))[0]!.sentence;
    expect(one).toMatch(/^unit 1 of relu is dead: 0 in all 16 rows.* through it; the other 2 are not/);
  });

  test("none with few rows, where 0 says little; a layer that is dead as a whole is one finding of its own; NaN is no 0", () => {
    expect(found(rows.slice(0, 15))).toEqual([]);
    expect(found(rows.map(() => [-1, -2])).map(({ kind }) => kind)).toEqual(["zero gradient"]);
    const nan = rows.map((row, i) => (i === 3 ? [row[0]!, NaN] : [row[0]!, -1]));
    expect(found(nan).map(({ kind }) => kind)).toEqual(["not finite"]);
  });
});

describe("whyNaN", () => {
  const causeOf = (f: (...xs: Tensor[]) => Tensor, ...inputs: Tensor[]): ReturnType<typeof whyNaN> =>
    whyNaN(inspect(f, inputs));

  test("the backward pass: the derivative of sqrt at 0", () => {
    const cause = causeOf((x) => x.sqrt().sum(), tensor([4, 0]))!;
    expect(cause).toMatchObject({ reaches: "gradient" });
    expect(cause.sentence).toContain(
      "the derivative of sqrt of 0 at element [1] is not finite: 1/(2√x) at x = 0",
    );
    expect(cause.event).toBeDefined();
  });

  test("the earlier of two causes, and none that the output does not meet", () => {
    expect(causeOf((x) => x.log().add(x.sub(1).reciprocal()).sum(), tensor([0, 1]))!.sentence).toMatch(
      /^log of 0/,
    );
    const aside = causeOf((x) => x.log().exp().sum(), tensor([0, 1]))!;
    expect(aside.sentence).toMatch(/^log of 0 at element \[0\] gives −∞/);
  });

  test("a leaf that holds NaN from the start; 0/0; a negative number", () => {
    expect(causeOf((x) => x.mul(2).sum(), tensor([NaN, 1]))!.sentence).toContain(
      "holds 1 NaN elements from the start",
    );
    expect(causeOf((x) => x.div(x).sum(), tensor([0, 1]))!.sentence).toMatch(
      /^0 was divided by 0 at element \[0\], which gives NaN/,
    );
    expect(causeOf((x) => x.log().sum(), tensor([1, -3]))!.sentence).toMatch(
      /^log of −3 at element \[1\] is NaN/,
    );
  });

  test("a mask's −∞ that does no harm is no cause", () => {
    expect(causeOf((x) => x.where([true, false], -Infinity).softmax().sum(), tensor([1, 2]))).toBeUndefined();
  });
});

describe("whyZero", () => {
  const reason = (f: (...xs: Tensor[]) => Tensor, ...inputs: Tensor[]): string =>
    whyZero(inspect(f, inputs), 0).sentence;
  const x = tensor([1, 2]);

  test.each<[string, string, string]>([
    ["unused", reason((_, b) => b!.sum(), x, x.mul(1)), "was not computed (which is not 0): nothing uses it"],
    [
      "a comparison",
      reason((a, b) => a!.less(1).cast("float32").mul(b!).sum(), x, x.mul(1)),
      "truth value or an index",
    ],
    ["no grad", reason((a) => a!.detach().mul(2).sum(), x), "uses a copy of input 0 without its gradient"],
    [
      "times 0",
      reason((a) => a!.mul(0).sum(), x),
      "is 0: constant #1 is 0 everywhere, and mul #2 multiplies the gradient by it",
    ],
    [
      "clip",
      reason((a) => a!.clip(5, 6).sum(), x),
      "clip cuts everything off: its inputs (1 to 2) lie outside its bounds",
    ],
    ["tanh", reason((a) => a!.mul(100).tanh().sum(), x), "tanh is saturated: at its inputs (100 to 200)"],
    ["where", reason((a) => a!.where([false, false], 3).sum(), x), "where never takes this branch"],
    ["a dead unit behind a product", reason((a) => a!.mul(tensor([-1, -2]).relu()).sum(), x), "relu is dead"],
  ])("%s", (_, sentence, expected) => expect(sentence).toContain(expected));

  test("of several causes the one that the backward pass meets first; of several uses the first", () => {
    const dead = (a: Tensor): Tensor => a.neg().relu().sum();
    const outside = (a: Tensor): Tensor => a.clip(5, 6).sum();
    expect(reason((a) => dead(a!).add(outside(a!)), x)).toContain("clip cuts everything off");
    expect(reason((a) => outside(a!).add(dead(a!)), x)).toContain("relu is dead");
    expect(reason((a) => a!.detach().exp().add(a!.detach().sin()).sum(), x)).toContain("exp #2 uses a copy");
  });

  test("contributions that cancel, elements that are 0, and a node that does not exist", () => {
    expect(
      whyZero(
        inspect((a) => a.sub(a).sum(), [x]),
        0,
      ),
    ).toMatchObject({ status: "cancels" });
    const some = whyZero(
      inspect((a) => a.relu().sum(), [tensor([-1, 1])]),
      0,
    );
    expect(some).toMatchObject({
      status: "not zero",
      sentence: "the gradient of input 0 is 0 in 1 elements and not in the others",
    });
    expect(() =>
      whyZero(
        inspect((a) => a, [x]),
        9,
      ),
    ).toThrow("E_INDEX");
  });
});

describe("stepsOf", () => {
  const document = inspect((a, b) => a.mul(b).add(a).sum(), [tensor([1, 2]), tensor([3, 4]), tensor([5])]);
  const steps = stepsOf(document);
  const statuses = (node: number): string[] =>
    Array.from({ length: steps.last + 1 }, (_, at) => steps.gradientAt(node, at).status);

  test("tells at each moment what is computed, partly computed, not yet, and never", () => {
    const first = steps.eventsTo(0);
    expect(first).toHaveLength(2);
    expect(statuses(0)).toEqual(
      Array.from({ length: steps.last + 1 }, (_, at) =>
        at <= first[0]! ? "not yet" : at <= first[1]! ? "partial" : "complete",
      ),
    );
    expect(new Set(statuses(2))).toEqual(new Set(["never"]));
    expect(steps.gradientAt(0, first[0]!).gradient).toBeUndefined();
    expect(steps.gradientAt(0, first[1]!).gradient!.values).toEqual([1, 1]);
    expect(steps.gradientAt(0, steps.last).gradient!.values).toEqual([4, 5]);
    expect(steps.gradientAt(0, first[1]!)).toMatchObject({ received: 1, expected: 2 });
  });

  test("goes back by the number alone: the states are those of the way there", () => {
    const at = (moment: number): unknown => document.nodes.map(({ id }) => steps.gradientAt(id, moment));
    const there = Array.from({ length: steps.last + 1 }, (_, moment) => at(moment));
    for (let moment = steps.last; moment >= 0; moment--) expect(at(moment)).toEqual(there[moment]);
  });

  test("knows what a node is used by and which rule brings what", () => {
    const mul = document.nodes.find(({ op }) => op === "mul")!;
    const add = document.nodes.find(({ op }) => op === "add")!;
    expect(steps.usersOf(0)).toEqual([mul.id, add.id]);
    expect(steps.eventsFrom(mul.id).map((event) => document.events[event]!.to)).toEqual([0, 1]);
    expect(steps.hasValueAt(0, 0)).toBe(true);
    expect([mul.id, mul.id + 1].map((made) => steps.hasValueAt(mul.id, made))).toEqual([false, true]);
  });
});
