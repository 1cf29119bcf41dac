import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand, start } from "./command.js";

interface QuickReport {
  readonly bench_report: {
    readonly baseline: { readonly full: { readonly per_seed: readonly number[] } };
    readonly idea: { readonly per_seed: readonly number[] };
    readonly informative: boolean;
    readonly verdicts: { readonly strict: { readonly verdict: string } };
  };
}

const reportIn = (folder: string, idea: string): QuickReport =>
  JSON.parse(fs.readFileSync(path.join(folder, "reports", idea, "bench_report.json"), "utf8")) as QuickReport;

const perSeed = (report: QuickReport): readonly (readonly number[])[] => [
  report.bench_report.baseline.full.per_seed,
  report.bench_report.idea.per_seed,
];

const quick = (idea: string, jobs: number): string[] =>
  `bench run ${idea} --preset quick --jobs ${jobs}`.split(" ");

test.each(["moment-rank2", "residual-pivoted"])(
  "%s runs at preset quick, refuses a verdict, verifies, and gives the same values with 1 and 2 workers",
  async (idea) => {
    const [one, two] = [emptyFolder(), emptyFolder()];
    const first = await gradstand(quick(idea, 1), one);
    expect(first.err).not.toMatch(/E_[A-Z]+/);
    expect(first.code).toBe(0);
    expect((await gradstand(quick(idea, 2), two)).code).toBe(0);
    expect(perSeed(reportIn(two, idea))).toEqual(perSeed(reportIn(one, idea)));
    expect(reportIn(one, idea).bench_report.verdicts.strict.verdict).toBe("inconclusive");
    expect(first.out).toMatch(/UNINFORMATIVE/);
    expect(first.out).toMatch(/--train 2000 --test 2000 --epochs 20/);
    const verified = await gradstand(
      ["bench", "verify", path.join("reports", idea, "bench_report.json")],
      one,
    );
    expect(verified.out).toMatch(/The report holds/);
    expect(verified.code).toBe(0);
    expect(filesBelow(one).filter((file) => !file.endsWith(".json"))).toEqual([]);
    const again = await gradstand(quick(idea, 2), one);
    expect(again.err).toMatch(/stored/);
    expect(again.err).not.toMatch(/\d s\)/);
  },
  180_000,
);

test("Ctrl-C in mid-run ends with 130, the command that resumes, no half-written file, and finished cells kept", async () => {
  const folder = emptyFolder();
  const words = "bench run moment-rank2 --jobs 2".split(" ");
  const { process: child, outcome } = start(words, folder);
  const began = await new Promise<boolean>((resolve) => {
    let text = "";
    child.stderr!.on("data", (part: Buffer) => {
      text += part.toString();
      if (/\[1\/\d+\]/.test(text)) resolve(true);
    });
    child.on("close", () => resolve(false));
  });
  expect(began).toBe(true);
  child.kill("SIGINT");
  const { code, err } = await outcome;
  expect(code).toBe(130);
  expect(err).toMatch(/E_INTERRUPTED/);
  expect(err).toMatch(/To go on where it stopped: npx gradstand bench run moment-rank2 --jobs 2/);
  const files = filesBelow(folder);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(file).toMatch(/\.json$/);
    expect(() => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as unknown).not.toThrow();
  }
  expect(files.some((file) => file.startsWith("reports"))).toBe(false);
}, 120_000);
