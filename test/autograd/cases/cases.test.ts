import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import cases from "../fixtures/cases.json" with { type: "json" };
import { numericCases } from "./numeric-cases.js";
import { graphCases } from "./graph-cases.js";
import { shapeCases } from "./shape-cases.js";
import { statisticsCases } from "./statistics-cases.js";

/** Cases about layers and optimizers: the file that tests them, and what the test is called there. */
const elsewhere: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "attention-row-fully-masked": ["attention/hidden-pairs.test.ts", "where a query sees nothing"],
  "masked-nan": ["attention/hidden-pairs.test.ts", "when an unseen key or value holds"],
  "gru-reset-variants": ["recurrent/gru.test.ts", "reset %s the product"],
  "cross-entropy-huge-logits": ["losses/losses.test.ts", "of huge equal logits"],
  "adam-epsilon": ["optimizers/optimizers.test.ts", "adam-epsilon"],
  "adamw-coupling": ["optimizers/optimizers.test.ts", "adamw-coupling"],
};

const here: Readonly<Record<string, () => void>> = {
  ...numericCases,
  ...statisticsCases,
  ...shapeCases,
  ...graphCases,
};

describe.each(cases)("$id: $fault", ({ id }) => {
  test("is right", () => {
    const run = here[id];
    if (run) return run();
    expect(elsewhere, `no test for the case "${id}"`).toHaveProperty([id]);
    const [file, title] = elsewhere[id]!;
    const text = readFileSync(fileURLToPath(new URL(`../../nn/${file}`, import.meta.url)), "utf8");
    const runs = new RegExp(`^\\s*(it|test)(\\.each\\([^\\n]*\\))?\\(\\s*"[^"\\n]*${title}`, "m");
    expect(text, `${file} runs no test "${title}" for the case "${id}"`).toMatch(runs);
  });
});

test("no test is for a case that does not exist", () => {
  const ids = cases.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(here), ...Object.keys(elsewhere)]));
  expect(new Set(ids).size).toBe(ids.length);
});
