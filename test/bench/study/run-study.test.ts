import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore } from "../../../src/bench/store/index.js";
import { inlineExecutor } from "../../../src/bench/executors/index.js";
import { planStudy } from "../../../src/bench/study/plan-study.js";
import { runStudy } from "../../../src/bench/study/run-study.js";
import { studies } from "../../../src/bench/study/studies.js";
import { studyDocument } from "../../../src/bench/study/study-document.js";
import { studyPage } from "../../../src/bench/study/html/study-page.js";
import type { StudyEvent } from "../../../src/bench/study/study-progress.js";
import type { Study } from "../../../src/bench/study/study.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";

const model: TrainSpec = {
  kind: "train",
  track: "dynamics",
  model: "rnn_small",
  arm: "baseline",
  cfg: { lr: 0.003 },
  seed: 0,
  trainSize: 4,
  validationSize: 0,
  testSize: 2,
  evaluate: "test",
  epochs: 1,
  batchSize: 4,
  optimizer: "adam",
  idea: null,
};

let computed: string[] = [];

const tiny: Study = {
  name: "tiny",
  title: "A <tiny> study",
  question: "Does the frame work?",
  grid: { what: ["number", "model", "time"], n: [1, 2] },
  models: ({ what }) => (what === "model" ? [model] : []),
  measures: ({ what }) => what === "time",
  room: ({ what, n }) => (what === "number" && n === 99 ? Infinity : 0),
  cell(point, models) {
    computed.push(`${point.what} ${point.n}`);
    if (point.n === 13) throw new Error("thirteen");
    const sizes = models.map(({ weights }) => Object.keys(weights).length);
    return { value: point.what === "time" ? Math.random() : point.n, sizes, odd: NaN };
  },
  present: (cells) => ({
    findings: [`${cells.length} cells`],
    tables: [
      { title: "All", columns: ["what", "n"], rows: cells.map(({ point }) => [point.what!, point.n!]) },
    ],
    plots: [
      {
        id: "all",
        title: "All",
        description: "all cells",
        x: { title: "n", logarithmic: true },
        y: { title: "value" },
        series: [{ name: "value", points: cells.map(({ point }) => [point.n as number, point.n as number]) }],
      },
    ],
  }),
};

beforeAll(() => void (studies as Map<string, Study>).set(tiny.name, tiny));
afterAll(() => void (studies as Map<string, Study>).delete(tiny.name));

const settings = () => ({ executor: "inline" as const, alone: inlineExecutor(new Map()) });

test("a study has a cell for each point, in the order of the grid, and hands cells the models that they name", async () => {
  computed = [];
  const events: StudyEvent[] = [];
  const plan = planStudy(tiny);
  const record = await runStudy(plan, { ...settings(), onProgress: (event) => events.push(event) });
  expect(record.cells.map(({ point }) => `${point.what} ${point.n}`)).toEqual([
    "number 1",
    "number 2",
    "model 1",
    "model 2",
    "time 1",
    "time 2",
  ]);
  expect(computed).toEqual(record.cells.map(({ point }) => `${point.what} ${point.n}`));
  expect(plan.models).toHaveLength(1);
  const sizes = record.cells.map(({ figures }) => figures.sizes as number[]);
  expect(sizes[0]).toEqual([]);
  expect(sizes[2]![0]).toBeGreaterThan(3);
  expect(record.cells[0]!.figures.odd).toBeNaN();
  expect(record.presentation.findings).toEqual(["6 cells"]);
  expect(events.at(-1)).toMatchObject({ done: 7, total: 7, state: "computed", running: [] });
});

test("what is stored is not computed again, and the first measurement stands", async () => {
  const store = memoryStore();
  const first = await runStudy(planStudy(tiny), { ...settings(), store });
  computed = [];
  const again = await runStudy(planStudy(tiny), { ...settings(), store });
  expect(computed).toEqual([]);
  expect(again.cells).toEqual(first.cells);
  const [cell] = planStudy(tiny).cells.filter(({ spec }) => spec.machine !== undefined);
  const other = { result: { value: 2, sizes: [], odd: NaN }, seconds: 1 };
  expect(store.write(cell!, other).result).toEqual(first.cells[4]!.figures);
  const calculated = planStudy(tiny).cells[0]!;
  expect(() => store.write(calculated, other)).toThrow(/E_NONDETERMINISM.*tiny what=number n=1/);
});

test("a study that was stopped, or in which a cell fails, goes on from what was finished", async () => {
  const store = memoryStore();
  const controller = new AbortController();
  const onProgress = ({ done }: StudyEvent): void => void (done === 3 && controller.abort());
  await expect(
    runStudy(planStudy(tiny), { ...settings(), store, onProgress, signal: controller.signal }),
  ).rejects.toThrow(/E_INTERRUPTED.*stopped with 3 of 7 cells finished/);
  computed = [];
  await runStudy(planStudy(tiny), { ...settings(), store });
  expect(computed).toEqual(["model 1", "model 2", "time 1", "time 2"]);
  await expect(runStudy(planStudy(tiny, { n: ["13"] }), { ...settings(), store })).rejects.toThrow(
    /E_CELL.*cell tiny what=number n=13 failed: thirteen/,
  );
});

test("a cell that needs more memory than is free is left out and named, and not stored", async () => {
  const store = memoryStore();
  const record = await runStudy(planStudy(tiny, { n: ["99"], what: ["number"] }), { ...settings(), store });
  expect(record.cells).toEqual([]);
  expect(record.omitted).toEqual([
    { point: { what: "number", n: 99 }, why: expect.stringContaining("it needs") as string },
  ]);
});

test("the page needs no network, escapes what it is given, and has every plot and table", async () => {
  const document = studyDocument(await runStudy(planStudy(tiny), settings()));
  expect(document).toMatchObject({ schema: "gradstand-study", version: 1, study: "tiny" });
  const page = studyPage(document);
  expect(page).toContain("<h1>A &lt;tiny&gt; study</h1>");
  expect(page).toContain('<figure id="all">');
  expect(page.match(/<circle class="mark-0"/g)).toHaveLength(6 + 1);
  expect(page).toContain("<caption>All</caption>");
  expect(page).not.toMatch(/<script|src=|href="http|NaN|undefined/);
});
