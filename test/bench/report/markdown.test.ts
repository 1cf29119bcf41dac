import { expect, test } from "vitest";
import {
  buildReport,
  figureText,
  plainVerdict,
  reportMarkdown,
  reportView,
  type Report,
} from "../../../src/bench/report/index.js";
import { code } from "../../../src/bench/report/markdown.js";
import { firstValues, sampleRun, secondValues, type SampleSettings } from "./sample-run.js";
import { seedReport } from "./seed-report.js";

const markdownOf = (report: Report): string => reportMarkdown(reportView(report, "bench_report.json"));

test("Markdown of an own report: headline, the plain sentences' figures, and every table whole", () => {
  const report = buildReport(sampleRun());
  const text = markdownOf(report);
  const view = reportView(report, "bench_report.json");
  expect(text).toMatch(/^## `Moment-preserving rank-2 compression`: bench report\n\n\*\*❔ Inconclusive:/);
  for (const sentence of plainVerdict(view).sentences) {
    for (const part of sentence) if (typeof part !== "string") expect(text).toContain(figureText(part));
  }
  expect(text).toContain("| difference (idea − baseline) | +0.000845625 (+12.5 %) |");
  expect(text).toContain("| p (sign-flip) | 0.40625 |");
  expect(text).toContain("| `ridge` | 0.0270161 | yes |");
  expect(text).toContain("| `lr 0.003` | 0.00675402 | 0.00759965 |");
  expect(text).toContain("| `moment residual` | 1.2000e-7 | 8 of 8 | `plain T_2` 0.21 | 8 of 8 |");
  for (const block of text.split("\n\n").filter((part) => part.startsWith("|"))) {
    const cells = block
      .trim()
      .split("\n")
      .map((line) => line.split(/(?<!\\)\|/).length);
    expect(new Set(cells).size).toBe(1);
  }
});

test("Markdown of version 1 says what is not reported, and of a report that does not hold that first", () => {
  const moment = markdownOf(seedReport("moment_preserving"));
  expect(moment).toContain("No floors are reported.");
  expect(moment).toContain("| `lr 0.001` | 0.0214983 | not reported |");
  const pivot = markdownOf(seedReport("residual_pivoted"));
  expect(pivot.indexOf("**❌ This report does not hold.**")).toBeLessThan(pivot.indexOf("Inconclusive"));
  expect(pivot).toContain("> - `bench_report.baseline.full.per_seed[6]`:");
});

test("texts of a report are neither markup nor mentions in Markdown", () => {
  const hostile = "`|</td><script>x</script>\n# @everyone **bold** [a](https://x.invalid) ``";
  const run = sampleRun({ floor: firstValues });
  const report = buildReport({
    ...run,
    idea: { ...run.idea, title: hostile },
    track: hostile,
    floors: [{ ...run.floors[0]!, name: hostile, values: run.floors[0]!.values.map((x) => x / 100) }],
  });
  const outsideCode = markdownOf(report).replace(/\\[^]|(`+)[^]*?(?<!`)\1(?!`)/g, (found) =>
    found.startsWith("`") ? "CODE" : "ESCAPED",
  );
  expect(outsideCode).toContain("CODE: bench report");
  expect(outsideCode).toContain("does not beat every floor");
  expect(outsideCode).not.toMatch(/<script|<\/td>|@everyone|\*\*bold|\[a|https:\/\/|\n# /);
  expect(code("a`b``c|d\ne")).toBe("```a`b``c\\|d e```");
  expect(code("`x")).toBe("`` `x ``");
  expect(code("")).toBe("` `");
});

test.each<readonly [string, SampleSettings, RegExp]>([
  ["a smoke run", { preset: "quick" }, /^No verdict: a smoke run/],
  ["a baseline below a floor", { floor: firstValues.map((x) => x / 2) }, /^Uninformative: /],
  ["tuning on the test part", {}, /^Inconclusive: /],
  [
    "a clear gain",
    { selection: "validation", idea: firstValues.map((x, at) => x * (0.6 + at / 100)) },
    /^The idea worked: better/,
  ],
  [
    "a clear gain without its mechanism",
    {
      selection: "validation",
      controlRefuted: false,
      idea: firstValues.map((x, at) => x * (0.6 + at / 100)),
    },
    /^Better than the tuned baseline, but its mechanism does not stand/,
  ],
  [
    "a clear loss",
    { selection: "validation", idea: firstValues.map((x, at) => x * (1.6 + at / 100)) },
    /^Harmful: /,
  ],
  [
    "a tiny but certain gain",
    { selection: "validation", idea: firstValues.map((x, at) => x * (0.99 + at / 1e4)) },
    /^Trivial: /,
  ],
  [
    "nothing at all",
    { selection: "validation", idea: firstValues.map((x, at) => x * (1 + (at % 2 === 0 ? 1 : -1) / 1e4)) },
    /^No effect: /,
  ],
  ["a diverged seed", { selection: "validation", idea: [NaN, ...secondValues.slice(1)] }, /^Inconclusive: /],
])("the headline of %s", (_, settings, headline) => {
  const view = reportView(buildReport(sampleRun(settings)), "bench_report.json");
  const verdict = plainVerdict(view);
  expect(verdict.headline).toMatch(headline);
  const tones = {
    worked: "better",
    harmful: "worse",
    trivial: "same",
    no_effect: "same",
    inconclusive: "open",
  };
  expect(verdict.tone).toBe(tones[view.verification.verdicts.strict.verdict]);
});

test("a diverged seed is said in place of an effect, and no interval is made up", () => {
  const text = markdownOf(buildReport(sampleRun({ idea: [NaN, ...secondValues.slice(1)] })));
  expect(text).toContain("Of 8 seeds each, 1 diverged with the idea and 0 with the baseline.");
  expect(text).toContain("| sign-flip interval | none |");
  expect(text).toContain("| diverged | 1 |");
});
