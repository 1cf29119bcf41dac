import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rules, Tensor, withoutGradient } from "../../../src/autograd/index.js";
import {
  expectAdjoint,
  expectBatch,
  expectBroadcasting,
  expectCorrectGradients,
  expectFloat32Gradients,
  expectLinearPullback,
  expectSameBits,
  expectSecondOrder,
  expectZeroCotangent,
} from "../../../src/testing/index.js";
import type { Differentiable, Sample } from "./samples.js";
import { subjects } from "./subjects.js";

const numRuns = Math.ceil(Number(process.env.FAST_CHECK_RUNS ?? 60) / 5);

/** The names of the operations that a result was made by. */
function recordedIn(result: Tensor): Set<string> {
  const names = new Set<string>();
  const stack = [result];
  for (let tensor = stack.pop(); tensor; tensor = stack.pop()) {
    if (!tensor.node) continue;
    names.add(tensor.node.op.name);
    stack.push(...tensor.node.inputs!);
  }
  return names;
}

function holds(samples: fc.Arbitrary<Sample>, law: (sample: Sample) => void): void {
  const judge = (sample: Sample): void => {
    law(sample);
  };
  fc.assert(fc.property(samples, judge), { numRuns });
}

test("every operation has a gradient rule, or is named as one without", () => {
  const plain = new Set<string>(withoutGradient);
  for (const [name, op] of Object.entries(rules)) expect("vjp" in op, name).toBe(!plain.has(name));
  expect(Object.keys(rules)).toEqual(expect.arrayContaining([...withoutGradient]));
});

test("every operation with a rule is tested here", () => {
  const plain = new Set<string>(withoutGradient);
  expect(Object.keys(subjects).sort()).toEqual(
    Object.keys(rules)
      .filter((name) => !plain.has(name))
      .sort(),
  );
});

describe.each(Object.entries(subjects))("%s", (name, subject) => {
  const { samples, rounds, float32Units, broadcasts, batches } = subject;

  test("is what its sample uses", () => {
    let used = false;
    holds(samples, ({ f, inputs }) => {
      const leaves = inputs.map((x) => new Tensor(x.array, true));
      used ||= recordedIn(f(...leaves)).has(rules[name as Differentiable].name);
    });
    expect(used).toBe(true);
  });

  if (!rounds) {
    test("has the gradient of differences", () => {
      holds(samples, ({ f, inputs }) => expectCorrectGradients(f, inputs));
    });

    test("has adjoint forward and reverse derivatives", () => {
      holds(samples, ({ f, inputs }) => expectAdjoint(f, inputs));
    });

    test("has second derivatives", () => {
      holds(samples, ({ f, inputs }) => expectSecondOrder(f, inputs));
    });

    test("has a linear pullback", () => {
      holds(samples, ({ f, inputs }) => expectLinearPullback(f, inputs));
    });
  }

  test("has nearly the same gradient in float32", () => {
    holds(samples, ({ f, inputs }) =>
      expectFloat32Gradients(f, inputs, { units: float32Units, elementwise: broadcasts }),
    );
  });

  test("gives the same bits twice", () => {
    holds(samples, ({ f, inputs }) => expectSameBits(f, inputs));
  });

  test("gives zeros for a cotangent of zeros", () => {
    holds(samples, ({ f, inputs }) => expectZeroCotangent(f, inputs));
  });

  if (broadcasts) {
    test("broadcasts as an explicit expand", () => {
      holds(samples, ({ f, inputs }) => expectBroadcasting(f, inputs));
    });
  }

  if (batches) {
    test("takes a batch as a stack of singles", () => {
      const notEmpty = samples.filter(({ inputs }) => inputs.every((x) => x.size > 0));
      holds(notEmpty, ({ f, inputs }) =>
        expectBatch(f, [inputs, inputs.map((x) => x.mul(0.75).add(0.01)), inputs.map((x) => x.flip())]),
      );
    });
  }
});
