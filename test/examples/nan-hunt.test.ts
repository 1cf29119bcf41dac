import { expect, test } from "vitest";
import {
  carefulCrossEntropy,
  firstCause,
  naiveCrossEntropy,
  tame,
  targets,
  wild,
} from "../../examples/nan-hunt.js";
import { crossEntropy } from "../../src/nn/index.js";

test("the NaN of wild logits was born in exp, on its line", () => {
  expect(naiveCrossEntropy(wild, targets).item()).toBeNaN();
  expect(firstCause(naiveCrossEntropy, wild)).toMatch(
    /^exp of 100 at element \[1,1\] overflows.*nan-hunt\.js:20/,
  );
});

test("tame logits have none, and log softmax has none at all", () => {
  expect(firstCause(naiveCrossEntropy, tame)).toBeUndefined();
  expect(firstCause(carefulCrossEntropy, wild)).toBeUndefined();
  for (const logits of [tame, wild])
    expect(carefulCrossEntropy(logits, targets).item()).toBeCloseTo(
      crossEntropy(logits, targets.argmax(-1)).item(),
      6,
    );
  expect(naiveCrossEntropy(tame, targets).item()).toBeCloseTo(carefulCrossEntropy(tame, targets).item(), 6);
});
