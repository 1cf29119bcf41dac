import { describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../src/autograd/index.js";
import { inspect } from "../../src/inspect/index.js";
import {
  hintFor,
  isRight,
  questionAbout,
  readGuess,
  type NumberQuestion,
} from "../../src/inspect-page/predict/question.js";
import { Recording } from "../../src/inspect-page/state/recording.js";

describe("questions about the next step of a backward pass", () => {
  const f = (x: Tensor, w: Tensor): Tensor => x.mul(w).add(w.square()).sum();
  const recording = new Recording(inspect(f, [tensor([3, 5]), tensor([0.5, 0.25])], { names: ["x", "w"] }));
  const { events } = recording.document;
  const w = recording.document.nodes.findIndex(({ name }) => name === "w");
  const toW = events.flatMap(({ to }, at) => (to === w ? [at] : []));

  test("the truth is the part, or the sum that it is added to", () => {
    const last = toW.at(-1)!;
    const asked = (what: "contribution" | "gradient"): NumberQuestion =>
      questionAbout(recording, last, what) as NumberQuestion;
    expect(toW.length).toBeGreaterThan(1);
    expect(asked("contribution").truth).toBe(events[last]!.part!.values![asked("contribution").place]);
    expect(asked("gradient").truth).toBe(events[last]!.sum!.values![asked("gradient").place]);
    expect(asked("gradient").truth).toBe([3 + 1, 5 + 0.5][asked("gradient").place]);
  });

  test("a part in place of the sum, a wrong sign and a forgotten factor are told", () => {
    const last = toW.at(-1)!;
    const sum = questionAbout(recording, last, "gradient") as NumberQuestion;
    const { values } = events[last]!.part!;
    expect(hintFor(sum, Number(values![sum.place]))).toMatch(/this part alone/);
    const part = questionAbout(recording, last, "contribution") as NumberQuestion;
    expect(hintFor(part, -part.truth)).toMatch(/sign/);
    expect(hintFor(part, 2 * part.truth)).toMatch(/Twice/);
    expect(hintFor(part, 17.3 * part.truth)).toBeUndefined();
  });

  test("of a large array the shape is asked for, which is that of what the gradient belongs to", () => {
    const large = new Recording(
      inspect((x: Tensor) => x.square().sum(), [tensor(new Array<number>(50).fill(1))]),
    );
    const at = large.document.events.findIndex(({ part }) => part && !part.values);
    expect(questionAbout(large, at, "contribution")).toMatchObject({ kind: "choice", truth: "[50]" });
  });
});

test("a guess counts within a hundredth of the truth", () => {
  expect(isRight(0.991, 1)).toBe(true);
  expect(isRight(0.98, 1)).toBe(false);
  expect(isRight(0, 0)).toBe(true);
  expect(isRight(1e-6, 0)).toBe(false);
  expect(isRight(NaN, NaN)).toBe(true);
  expect(isRight(Infinity, 1e30)).toBe(false);
});

test.each([
  ["0.25", 0.25],
  ["−3e−4", -3e-4],
  [" 0,5 ", 0.5],
  ["1/4", 0.25],
  ["0.5×0.25", 0.125],
  ["2·-3/4", -1.5],
  ["-inf", -Infinity],
  ["nan", NaN],
  ["0.5 +", undefined],
  ["two", undefined],
  ["", undefined],
])("%j is read as %d", (text, value) => {
  expect(readGuess(text)).toBe(value);
});
