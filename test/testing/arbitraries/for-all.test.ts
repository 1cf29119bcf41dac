import fc from "fast-check";
import { expect, test } from "vitest";
import { defineOp, type Tensor } from "../../../src/autograd/index.js";
import "../../../src/testing/vitest/index.js";
import { NDArray, type Floats } from "../../../src/tensor/index.js";
import { checkCorrectGradients, expectCorrectGradients } from "../../../src/testing/index.js";
import { domains, forAll, graphs, inputs, tensors } from "../../../src/testing/arbitraries/index.js";

/** x² whose rule has a factor that is wrong where x is larger than 1. */
const wrongSquare = defineOp({
  name: "wrongSquare",
  forward: ([x]) =>
    new NDArray(
      x!.shape,
      x!.dtype,
      (x!.data as Floats).map((v) => v * v),
    ),
  vjp: ({ cotangent, inputs: [x] }) => [cotangent.scale(x!.mul(x!.greater(1).cast("float64").add(2)))],
});
const wrong = (x: Tensor): Tensor => wrongSquare([x]);

const real = tensors({ elements: domains.real });

function thrown(run: () => unknown): Error & { code?: string } {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

test("a law that holds gives the number of runs, the seed and the worst result", () => {
  const found = forAll(real, (x) => checkCorrectGradients((v) => v.square(), [x]), { seed: 7, runs: 30 });
  expect(found).toMatchObject({ seed: 7, runs: 30, worst: { law: "CorrectGradients", passed: true } });
  expect(found.worst!.worst).toBeGreaterThan(0);
});

test.each([
  ["a result that did not pass", (x: Tensor) => checkCorrectGradients(wrong, [x])],
  ["a law that throws", (x: Tensor) => void expectCorrectGradients(wrong, [x])],
])("%s is reported with the smallest value, its seed and its path", (_, law) => {
  const error = thrown(() => forAll(real, law, { seed: 11 }));
  expect(error.code).toBe("E_LAW");
  const lines = error.message.split("\n");
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(error.message).toMatch(/^E_LAW: CorrectGradients does not hold/);
  expect(error.message).not.toMatch(/E_LAW.*E_LAW/s);
  expect(error.message).toContain("the smallest value that breaks it: tensor(2., float64)");
  expect(lines.at(-1)).toMatch(/^ {2}\{ seed: 11, path: "[\d:]+" \}$/);
  const path = /path: "([\d:]+)"/.exec(error.message)![1]!;
  const again = thrown(() => forAll(real, law, { seed: 11, path }));
  expect(again.message).toContain("the smallest value that breaks it: tensor(2., float64)");
  expect(again.message).toContain("value 1, made smaller 0 times");
});

test("a law that explains itself is explained once, at the smallest value", () => {
  const error = thrown(() => forAll(real, (x) => void expectCorrectGradients(wrong, [x]), { seed: 11 }));
  expect(error.message).toMatch(/hint +found = 1\.5 × expected/);
  expect(error.message).toContain("first operation that breaks it on its own: 'wrongSquare'");
  expect(error.message).toContain("seed: 11");
  expect(error.message.split("\n").length).toBeLessThanOrEqual(15);
});

test("false is a failure, true and nothing are none", () => {
  expect(thrown(() => forAll(real, () => false, { runs: 3 })).message).toContain("the law returned false");
  expect(forAll(real, () => true, { runs: 3 }).worst).toBeUndefined();
  expect(forAll(real, () => undefined, { runs: 3 }).runs).toBe(3);
});

test("what a matcher gives back is no result", () => {
  expect(
    forAll(real, (x) => expect((v: Tensor) => v.square()).toHaveCorrectGradients([x]), { runs: 3 }).runs,
  ).toBe(3);
  const broken = (): void =>
    void forAll(real, (x) => expect(wrong).toHaveCorrectGradients([x]), { seed: 11 });
  expect(broken).toThrow(/^E_LAW: CorrectGradients does not hold.*hint +found = 1\.5 × expected/s);
});

test("an async law is refused", () => {
  const law = (() => Promise.resolve(true)) as unknown as () => boolean;
  expect(thrown(() => forAll(real, law)).message).toContain("it may not be async");
});

test("a run that was cut short fails, although every value that was tried passed", () => {
  const slow = (): boolean => {
    for (const end = performance.now() + 20; performance.now() < end;);
    return true;
  };
  const error = thrown(() => forAll(real, slow, { seed: 3, runs: 1000, timeLimit: 60 }));
  expect(error.message).toMatch(/^E_LAW: the run was interrupted after \d+ values by its time limit/);
  expect(error.message).toContain("seed 3");
});

test("a value that lies on kinks only is passed over; a run that saw nothing else fails", () => {
  const kinks = (kinks: number, compared: number) => ({
    law: "Some",
    passed: compared > 0,
    worst: 0,
    tolerance: 1,
    compared,
    kinks,
    parts: [],
  });
  let at = 0;
  expect(forAll(real, () => kinks(1, at++ % 2), { runs: 10 }).worst).toMatchObject({ compared: 1 });
  const error = thrown(() => forAll(real, () => kinks(1, 0), { runs: 10, seed: 5 }));
  expect(error.message).toMatch(/^E_LAW: nothing but kinks was seen in 10 runs/);
});

test("a long text is cut to fifteen lines, with the replay line last", () => {
  const long = inputs("(m,n),(n,m)", { minSize: 4 });
  const error = thrown(() =>
    forAll(long, () => {
      throw new Error("line\n".repeat(40));
    }),
  );
  const lines = error.message.split("\n");
  expect(lines).toHaveLength(15);
  expect(lines.at(-1)).toMatch(/seed: /);
  expect(error.message).toContain("the smallest value");
});

test("a graph is printed as its program", () => {
  const error = thrown(() =>
    forAll(graphs(), (graph) => !String(graph).includes("tanh"), { seed: 20_261_130 }),
  );
  expect(error.message).toContain('\nconst a = tensor([[0]], { dtype: "float64" });\nconst b = a.tanh();\n');
});

test("the seed of fast-check's settings is taken when none is given", () => {
  const { seed, numRuns } = fc.readConfigureGlobal();
  expect(forAll(real, () => true)).toMatchObject({ seed, runs: numRuns });
});
