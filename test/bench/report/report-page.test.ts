import { describe, expect, test } from "vitest";
import {
  benchOf,
  buildReport,
  reportPage,
  reportView,
  type Report,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { leavesOf, valueAt } from "../../../src/bench/report/path.js";
import { figuresOf, tagsOf, unescaped } from "./page-figures.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";
import { corruptPath, seedReport, soundReport } from "./seed-report.js";

const pageOf = (report: Report): string => reportPage(reportView(report, "bench_report.json"));

const sixteen = Array.from({ length: 16 }, (_, at) => 0.9 + ((at * 7) % 16) / 170);

const reports: readonly (readonly [string, () => Report])[] = [
  ["the moment report of version 1", () => seedReport("moment_preserving")],
  ["the pivot report of version 1", () => soundReport("residual_pivoted")],
  ["an own report", () => buildReport(sampleRun())],
  ["a bare bench report", () => buildReport(sampleRun()).bench_report],
  ["a metric where higher is better", () => buildReport(sampleRun({ direction: "higher" }))],
  [
    "16 seeds, tuned on a validation split",
    () =>
      buildReport(
        sampleRun({ baseline: sixteen, idea: sixteen.map((x) => x - 0.1), selection: "validation" }),
      ),
  ],
  ["two seeds", () => buildReport(sampleRun({ baseline: [1, 2], idea: [1, 2], preset: "quick" }))],
  [
    "diverged seeds",
    () => buildReport(sampleRun({ idea: [NaN, Infinity, ...secondValues.slice(2)], ideaBest: 2 })),
  ],
  [
    "values far apart, and equal ones",
    () => buildReport(sampleRun({ baseline: firstValues.map(() => 1e-7), idea: firstValues.map(() => 4e5) })),
  ],
];

describe.each(reports)("the page of %s", (_, make) => {
  const report = make();
  const view = reportView(report, "bench_report.json");
  const page = reportPage(view);
  const figures = figuresOf(page);

  test("every number of it is the report's, to the last bit, or follows from the report", () => {
    expect(figures.length).toBeGreaterThan(50);
    expect(figures.length).toBe(page.split("<data ").length - 1);
    for (const { value, path, origin } of figures) {
      const source: unknown = origin === "reported" ? report : view.verification.judgement;
      expect({ path, value }).toEqual({ path, value: valueAt(source, path) });
    }
  });

  test("what is read is that number to at least three digits", () => {
    for (const { value, text } of figures) {
      const read = Number(text.replace(/ %$/, ""));
      if (!Number.isFinite(value)) expect(read).toEqual(value);
      else expect(Math.abs(read - value)).toBeLessThanOrEqual(5e-3 * Math.abs(value));
    }
  });

  test("no figure of the comparison is left out, nor of arms, statistics, floors, tuning, cost and claims", () => {
    const shown = new Set(figures.filter(({ origin }) => origin === "reported").map(({ path }) => path));
    const sections =
      /^(bench_report\.)?(comparison|baseline|idea|statistics|floors|tuning|cost|math_checks|mechanism|mechanism_signature|protocol|provenance)\b/;
    const elsewhere =
      /sweep\[\d+\]\.(per_seed|seeds|cfg)|best_cfg|floors\[\d+\]\.(per_seed|n$)|(baseline\.full|idea)\.n$|mechanism\[\d+\]\.figures/;
    const missing = leavesOf(report)
      .filter(([path, value]) => typeof value === "number" && sections.test(path) && !elsewhere.test(path))
      .map(([path]) => path)
      .filter((path) => !shown.has(path));
    expect(missing).toEqual([]);
  });

  test("everything taken on trust is listed", () => {
    const text = unescaped(page);
    const { trusted } = view.verification;
    expect(trusted.length).toBeGreaterThan(5);
    for (const { path, why } of trusted) {
      expect(text).toContain(`<code>${path}</code>`);
      expect(text).toContain(why);
    }
  });

  test("it needs no script and no other file, and its tags close", () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|audio|video|source|base|form)\b/i);
    expect(page).not.toMatch(/\s(src|srcset|on\w+|style)=|url\(|@import/i);
    const hrefs = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
    for (const href of hrefs) expect(page).toContain(`<section id="${href.slice(1)}"`);
    const open: string[] = [];
    for (const tag of tagsOf(page)) {
      const name = /^<\/?([a-z0-9]+)/i.exec(tag)![1]!;
      if (["meta"].includes(name) || tag.endsWith("/>")) continue;
      if (tag.startsWith("</")) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("it is the same whenever it is made, and has no place of a mark that is no number", () => {
    expect(pageOf(report)).toBe(page);
    expect(page).not.toMatch(/"[^"]*(NaN|Infinity)[^"]*"\s+(y|x2|y1|y2|cx|cy)=|(M|L)NaN|undefined|\[object/);
    for (const [, place] of page.matchAll(/ (?:x|y|x1|x2|y1|y2|cx|cy|width|height)="([^"]*)"/g)) {
      expect(Number.isFinite(Number(place))).toBe(true);
    }
  });
});

/** A text that is markup, ends attributes, runs script, turns the line around and moves a terminal's cursor. */
const hostile = `</title></style><script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;\u202e\u001b[2J`;

/** A report with every text replaced that may be any text, and with a hostile key. */
function poisoned(report: ReportV2): Report {
  const kept = new Set([
    ..."metric_direction method where selection status arm profile verdict system_verdict".split(" "),
    ..."practical_verdict comparison_verdict code digests".split(" "),
  ]);
  const poison = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return kept.has(key) || /^-?\d+$/.test(value) ? value : hostile;
    if (Array.isArray(value)) return value.map((item) => poison(item, key));
    if (typeof value !== "object" || value === null || key === "digests") return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poison(item, name)]));
  };
  const bench = poison(report.bench_report, "") as ReportV2["bench_report"];
  const statement = poison({ ...report, bench_report: 0 }, "") as ReportV2;
  return {
    ...statement,
    metrics: { ...statement.metrics, [hostile]: hostile },
    bench_report: { ...bench, provenance: { ...bench.provenance, [hostile]: { [hostile]: [hostile, 7] } } },
  };
}

test("no text or key of a report becomes markup, and what is invisible in it is written out", () => {
  const page = pageOf(poisoned(buildReport(sampleRun())));
  expect(page.split("&lt;script&gt;alert(1)").length).toBeGreaterThan(40);
  expect(page).not.toMatch(/<script|<img|onerror=alert\(2\)>[^&]/);
  for (const tag of tagsOf(page)) expect(tag).not.toMatch(/onerror="|alert\(\d\)(?![^"]*")/);
  // eslint-disable-next-line no-control-regex
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  expect(page).toContain("\\u{202e}\\u{1b}[2J");
  const names = new Set(tagsOf(page).map((tag) => /[a-z0-9]+/i.exec(tag)![0]));
  const harmless = new Set(tagsOf(pageOf(buildReport(sampleRun()))).map((tag) => /[a-z0-9]+/i.exec(tag)![0]));
  expect([...names].filter((name) => !harmless.has(name) && name !== "strong")).toEqual([]);
});

test("a value that does not hold is said before the verdict, and marked where it stands", () => {
  const page = pageOf(seedReport("residual_pivoted"));
  const text = unescaped(page);
  expect(text.indexOf("This report does not hold")).toBeLessThan(text.indexOf("Inconclusive:"));
  expect(text).toContain(`<code>${corruptPath}</code> is 1.1204972262955322, should be 1.1204972267150`);
  expect(text).toMatch(
    /data-reported="bench_report\.baseline\.full\.per_seed\[6\]"[^>]*>1\.1205<\/data> <strong class="fault">✗ should be 1\.12049722671508/,
  );
  expect(pageOf(soundReport("residual_pivoted"))).not.toContain('class="fault"');
});

test("what a report does not have is said: no floors, no claims, no identities, no cells, no idea's sweep", () => {
  expect(unescaped(pageOf(seedReport("moment_preserving")))).toMatch(
    /The report has no floors[^]*not reported[^]*no sweep of the idea is reported/,
  );
  const run = sampleRun();
  const bare = buildReport({ ...run, floors: [], signatures: [], checks: [], cells: [] });
  const page = unescaped(pageOf(bare));
  expect(page).toContain("The report has no floors");
  expect(page).toContain("No claim was measured on a trained model");
  expect(page).toContain("No identity was checked");
  expect(page).toContain("Final cells (0 of 0)");
  expect(page).not.toContain('id="curve-plot"');
  const { protocol, math_verification, ...without } = benchOf(seedReport("moment_preserving"));
  expect([protocol, math_verification]).not.toContain(undefined);
  expect(pageOf(without as Report)).toContain("The report says nothing of it");
});

test("the plots mark what they must: both arms of each seed, choices with a ring, diverged seeds in words", () => {
  const plot = (page: string, id: string): string =>
    new RegExp(`<figure id="${id}">[^]*?</figure>`).exec(page)![0];
  const page = pageOf(buildReport(sampleRun()));
  const count = (text: string, mark: string): number => text.split(mark).length - 1;
  const paired = plot(page, "paired-plot");
  expect([count(paired, 'circle class="baseline"'), count(paired, 'path class="idea"')]).toEqual([9, 9]);
  expect(count(plot(page, "sweep-plot"), 'class="ring"')).toBe(2);
  expect(count(plot(page, "sweep-plot"), 'class="shade"')).toBe(2);
  expect(count(plot(page, "floor-plot"), 'class="other"')).toBe(2);
  expect(count(plot(page, "claim-plot"), 'path class="idea"')).toBe(9);
  expect(count(plot(page, "curve-plot"), 'class="curve baseline-line"')).toBe(8);
  expect(count(plot(page, "interval-plot"), 'class="range idea-line"')).toBe(3);
  expect(plot(page, "interval-plot")).toContain('class="band"');
  const lost = pageOf(buildReport(sampleRun({ idea: [NaN, ...secondValues.slice(1)] })));
  expect(count(plot(lost, "paired-plot"), "idea diverged")).toBe(1);
});

test("a label that is long takes two lines before anything of it is cut off; a single epoch is a mark for each cell", () => {
  const run = sampleRun();
  const what = "the same states before anything was compressed";
  const signatures = run.signatures.map(({ seed, signature }) => ({
    seed,
    signature: {
      ...signature,
      claims: signature.claims.map((claim) => ({ ...claim, control: { ...claim.control, what } })),
    },
  }));
  const cells = run.cells.map((cell) => ({ ...cell, curve: cell.curve.slice(0, 1) }));
  const page = pageOf(buildReport({ ...run, signatures, cells }));
  const plotOf = (id: string): string => page.split(`<figure id="${id}"`)[1]!.split("</figure>")[0]!;
  const labels = [...plotOf("claim-plot").matchAll(/text-anchor="end">([^<]*)</g)].map(([, label]) => label);
  expect(labels.join(" ")).toContain(what);
  expect(labels.join(" ")).not.toContain("…");
  // One in the legend.
  expect(plotOf("curve-plot").match(/class="idea"/g)).toHaveLength(run.protocol.seeds.length + 1);
});
