import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildReport, reportPage, reportView, type Report } from "../../src/bench/report/index.js";
import { sampleRun, secondValues } from "../bench/report/sample-run.js";
import { seedReport } from "../bench/report/seed-report.js";

/** Where Debian puts it; `GRADSTAND_CHROMIUM` names another place. */
const executablePath = process.env.GRADSTAND_CHROMIUM ?? "/usr/bin/chromium";

const sixteen = Array.from({ length: 16 }, (_, at) => 0.9 + ((at * 7) % 16) / 170);

/** A run whose names are long and whose values are many. */
function crowded(): Report {
  const run = sampleRun({ baseline: sixteen, idea: sixteen.map((x) => x * 1e-3), selection: "validation" });
  const long = "an_unbreakable_name_of_a_predictor_".repeat(4);
  return buildReport({
    ...run,
    idea: { ...run.idea, title: `${long}<script>document.title="ran"</script>` },
    floors: run.floors.map((floor) => ({ ...floor, name: `${floor.name} ${long}` })),
    provenance: { ...run.provenance, cpu: long },
  });
}

/** A run under a declared plan. */
function sequential(): Report {
  const run = sampleRun({ baseline: sixteen, idea: sixteen.map((x) => x * 0.9), selection: "validation" });
  return buildReport({ ...run, protocol: { ...run.protocol, sequential: { start: 8, step: 4, most: 32 } } });
}

/** A run of which some cells did not end. */
function unfinished(): Report {
  const run = sampleRun({ idea: [NaN, ...secondValues.slice(1)] });
  const reason = `the cell idea lr=0.003 seed=0 failed: its worker died 2 times; the last time: ${"a_long_reason_".repeat(12)}`;
  const lost = { status: "failed", reason, metric: NaN, parameters: NaN, steps: 0, curve: [] } as const;
  return buildReport({
    ...run,
    cells: run.cells.map((cell) => (cell.arm === "idea" && cell.seed === 0 ? { ...cell, ...lost } : cell)),
    unmeasured: [{ seed: 3, status: "timeout", reason }],
  });
}

const reports: readonly (readonly [string, () => Report])[] = [
  ["version 1, with a value that does not hold", () => seedReport("residual_pivoted")],
  ["version 2", () => buildReport(sampleRun())],
  ["16 seeds and long names", crowded],
  ["seeds under a declared plan", sequential],
  ["cells that did not end", unfinished],
  ["diverged seeds", () => buildReport(sampleRun({ idea: [NaN, Infinity, ...secondValues.slice(2)] }))],
];

/** Texts of plots that leave their plot, or that lie over another text of it. */
function textFaults(): string[] {
  return [...document.querySelectorAll("svg")].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map((text) => ({
      name: text.textContent,
      box: text.getBoundingClientRect(),
    }));
    const outside = texts.filter(
      ({ box }) =>
        box.left < frame.left - 0.5 ||
        box.right > frame.right + 0.5 ||
        box.top < frame.top - 0.5 ||
        box.bottom > frame.bottom + 0.5,
    );
    const over = texts.flatMap((a, at) =>
      texts
        .slice(at + 1)
        .filter(
          (b) =>
            a.box.left < b.box.right - 0.5 &&
            b.box.left < a.box.right - 0.5 &&
            a.box.top < b.box.bottom - 2 &&
            b.box.top < a.box.bottom - 2,
        )
        .map((b) => `${a.name} over ${b.name}`),
    );
    return [...outside.map(({ name }) => `${name} leaves its plot`), ...over];
  });
}

describe.skipIf(!existsSync(executablePath))("the page of a report in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(() => browser.close());

  /** Opens a page and notes whatever it says or asks for. */
  async function opened(
    html: string,
    width: number,
    colorScheme: "light" | "dark",
  ): Promise<{ page: Page; troubles: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => troubles.push(message.text()));
    page.on("request", (request) => troubles.push(`request of ${request.url()}`));
    await page.setContent(html, { waitUntil: "load" });
    return { page, troubles };
  }

  test.each(reports)(
    "%s: no error, no request, nothing too wide, no text clipped or over another, at 400 and 1280 px",
    async (_, make) => {
      const html = reportPage(reportView(make(), "bench_report.json"));
      const backgrounds = new Set<string>();
      for (const [width, scheme] of [
        [400, "dark"],
        [1280, "light"],
      ] as const) {
        const { page, troubles } = await opened(html, width, scheme);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        expect(await page.evaluate(textFaults)).toEqual([]);
        expect(await page.title()).not.toBe("ran");
        backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        expect(troubles).toEqual([]);
        await page.close();
      }
      expect(backgrounds.size).toBe(2);
    },
  );

  test("printed, everything folded is unfolded, and the colours are those of paper", async () => {
    const html = reportPage(reportView(buildReport(sampleRun()), "bench_report.json"));
    const { page } = await opened(html, 700, "dark");
    const heights = (): Promise<number[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll("details")].map((folded) => folded.getBoundingClientRect().height),
      );
    expect((await heights()).every((height) => height < 60)).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect((await heights()).every((height) => height > 100)).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(700);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });
});
