import { describe, expect, test } from "vitest";
import cases from "../fixtures/cases.json" with { type: "json" };
import { numericCases } from "./numeric-cases.js";
import { graphCases } from "./graph-cases.js";
import { shapeCases } from "./shape-cases.js";

/** Cases about layers and optimizers, and where they are tested. */
const elsewhere: Readonly<Record<string, string>> = {
  "attention-row-fully-masked": "../../nn",
  "masked-nan": "../../nn",
  "gru-reset-variants": "../../nn",
  "cross-entropy-huge-logits": "../../nn",
  "adam-epsilon": "../../nn",
  "adamw-coupling": "../../nn",
};

const here: Readonly<Record<string, () => void>> = { ...numericCases, ...shapeCases, ...graphCases };

describe.each(cases)("$id: $fault", ({ id }) => {
  test("is right", () => {
    const run = here[id];
    if (run) run();
    else expect(elsewhere, `no test for the case "${id}"`).toHaveProperty([id]);
  });
});

test("no test is for a case that does not exist", () => {
  const ids = cases.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(here), ...Object.keys(elsewhere)]));
  expect(new Set(ids).size).toBe(ids.length);
});
