import { expect, test } from "vitest";
import { rules, withoutGradient, type PlainOp } from "../../src/autograd/index.js";
import type { Total } from "../../src/autograd/rules.js";
import { op } from "../../src/autograd/op.js";

/** Tables of operations that the compiler must accept or refuse: `npm run check:types` is the test. */
const forward: PlainOp["forward"] = ([x]) => x!;
const ruleless = { name: "ruleless", forward };
const complete = op({ name: "complete", forward, vjp: ({ cotangent }) => [cotangent] });

const whole = { complete, argmax: ruleless };
export const accepted: Total<typeof whole> = whole;

const hole = { complete, ruleless };
// @ts-expect-error 'ruleless' has no gradient rule and is not among those that need none
export const refused: Total<typeof hole> = hole;

// @ts-expect-error an operation with a rule cannot be made without one
export const made = op({ name: "ruleless", forward });

const wrong = { complete: { ...complete, vjp: (): number => 3 } };
// @ts-expect-error a rule gives tensors, one for each input
export const misruled: Total<typeof wrong> = wrong;

test("the list of operations without a gradient names only operations without one", () => {
  for (const name of withoutGradient) expect("vjp" in rules[name], name).toBe(false);
});
