import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attentionCost } from "../../../src/bench/study/attention-cost.js";
import type {
  AttentionCostFigures,
  AttentionCostPoint,
} from "../../../src/bench/study/cells/attention-cost.js";
import { studyDocument, studySchema } from "../../../src/bench/study/index.js";
import { serializeReport } from "../../../src/bench/report/index.js";
import { isValid } from "../report/schema-validation.js";

/** Made-up costs: exact attention takes n² nanoseconds and 4n² bytes, attention through r pivots 100rn of each. */
function costs({ method, rank, n }: AttentionCostPoint): AttentionCostFigures {
  const seconds = method === "pivoted" ? 1e-9 * 100 * rank * n : 1e-9 * n * n;
  const bytes = method === "pivoted" ? 100 * rank * n : 4 * n * n;
  return { seconds, first: seconds, repeats: 3, before: 2 ** 26, peak: 2 ** 26 + bytes };
}

const cells = attentionCost.points!({ ...attentionCost.grid, rank: [8, 32], width: [8] }).map((point) => ({
  point,
  figures: costs(point),
}));
const presentation = attentionCost.present(cells);

test("attention-cost: exact attention has one cell a length, pivots have one for each rank", () => {
  const count = (method: string): number => cells.filter(({ point }) => point.method === method).length;
  expect([count("naive"), count("fused"), count("pivoted")]).toEqual([16, 16, 32]);
});

test("attention-cost: measured crossings beside predicted ones, and the exponents of memory, of costs that are known", () => {
  const [crossings, slopes] = presentation.tables;
  const forward = crossings!.rows.filter(
    ([against, pass]) => against === "exact, naive" && pass === "forward",
  );
  // 100 r n falls below n² at n = 100 r; predicted 2r + r²/16
  expect(forward.map((row) => row.slice(3, 6))).toEqual([
    [8, 20, "800"],
    [32, 128, "3200"],
  ]);
  const exponents = slopes!.rows
    .filter(([, pass]) => pass === "forward")
    .map(([name, , , memory]) => [name, memory]);
  expect(exponents).toEqual([
    ["exact, naive", "2.00"],
    ["exact, fused", "2.00"],
    ["rank 8", "too few"],
    ["rank 32", "1.00"],
  ]);
  expect(presentation.plots.map(({ id }) => id)).toEqual([
    "milliseconds-forward-8",
    "mebibytes-forward-8",
    "milliseconds-both-8",
    "mebibytes-both-8",
  ]);
});

test("the file is the schema, UPDATE_SCHEMAS=1 writes it; a study fits it, and one that lacks something does not", () => {
  const file = new URL("../../../src/bench/study/schema/study-v1.schema.json", import.meta.url);
  if (process.env.UPDATE_SCHEMAS) writeFileSync(file, `${JSON.stringify(studySchema(), null, 2)}\n`);
  const schema = studySchema();
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(schema);
  const { name, title, question, grid } = attentionCost;
  const document = studyDocument({
    name,
    title,
    question,
    grid,
    cells: cells.map((cell) => ({ ...cell, key: "k", seconds: NaN })),
    omitted: [{ point: { n: 1 }, why: "x" }],
    presentation,
    provenance: { command: "c" } as never,
  });
  const written = (one: object): unknown => JSON.parse(serializeReport(one));
  expect(isValid(schema, written(document))).toBe(true);
  expect(isValid(schema, written({ ...document, version: 2 }))).toBe(false);
  expect(isValid(schema, written({ ...document, findings: [1] }))).toBe(false);
  for (const key of Object.keys(document))
    expect([key, isValid(schema, written({ ...document, [key]: undefined }))]).toEqual([key, false]);
});
