import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyFolder, filesBelow } from "./command.js";
import { inProcess } from "./recording-terminal.js";
import { stoppedAt } from "./stopped-run.js";

const here = process.cwd();
beforeEach(() => process.chdir(fs.realpathSync(emptyFolder())));
afterEach(() => process.chdir(here));

const grid = "--grid method=pivoted --grid pass=forward --grid width=8 --grid rank=2 --grid n=16,32";
const words = (line: string): string[] => line.split(" ");
const cells = (): string[] => filesBelow(".gradstand/cells").filter((file) => /^\w{64}\.json$/.test(file));

test("a stopped study goes on where it stopped, and writes study.json and one page; gc keeps its cells until it is gone", async () => {
  const stopped = await stoppedAt(`study attention-cost ${grid}`, /\[1\/2\]/);
  expect(stopped.code).toBe(130);
  expect(cells()).toHaveLength(1);
  const done = await inProcess(words(`study attention-cost ${grid}`));
  expect(done.code).toBe(0);
  expect(done.err).toContain("n=16 (stored");
  expect(done.out).toContain("every figure");
  const folder = path.join("studies", "attention-cost");
  expect(filesBelow(folder).sort()).toEqual(["bench_run.json", "study.html", "study.json"]);
  const document = JSON.parse(fs.readFileSync(path.join(folder, "study.json"), "utf8")) as {
    readonly schema: string;
    readonly cells: readonly { readonly point: { n: number }; readonly figures: Record<string, number> }[];
  };
  expect(document.schema).toBe("gradstand-study");
  expect(document.cells.map(({ point }) => point.n)).toEqual([16, 32]);
  for (const { figures } of document.cells) {
    expect(figures.seconds).toBeGreaterThan(0);
    expect(figures.peak).toBeGreaterThan(figures.before! / 2);
    // A process of its own: far below what the process of this test holds with all its modules.
    expect(figures.peak).toBeLessThan(200 * 2 ** 20);
  }
  expect((await inProcess(words("bench gc"))).out).toContain("removed 0 files (0.0 MB); 2 cells stay");
  const resumed = await inProcess(words(`bench resume ${folder}`));
  expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining("is the folder of a study")]);
  fs.rmSync(folder, { recursive: true });
  await inProcess(words("bench gc"));
  expect(cells()).toEqual([]);
});

test.each([
  ["study", /E_USAGE: study: expected the name of one study, got none; there are: attention-cost/],
  ["study attention-costs", /E_USAGE: there is no study 'attention-costs'.*attention-cost/],
  ["study attention-cost --grid m=3", /E_PLAN: the study attention-cost has no axis 'm'/],
  ["study attention-cost --grid method=magic", /E_PLAN: the axis method has no value 'magic'/],
])("%s is refused", async (line, message) => {
  const { code, err } = await inProcess(words(line));
  expect(err).toMatch(message);
  expect(code).toBe(2);
  expect(filesBelow(process.cwd())).toEqual([]);
});
