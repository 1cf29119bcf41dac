import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseReport, type ReportV2 } from "../../src/bench/report/index.js";
import { emptyFolder, filesBelow, gradstand, start } from "./command.js";
import { valuesOf } from "./report-values.js";

const reportIn = (folder: string, idea: string): ReportV2 => {
  const file = path.join(folder, "reports", idea, "bench_report.json");
  return parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2;
};

/** What every trained model must show: each quantity claimed, with the largest observation that its claim allows. */
const signatures: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "moment-rank2": { "moment residual": 5e-7, "error identity": 1e-6, "true rank": 4 },
  "residual-pivoted": { "expected trace decrease": 1e-6, "sampled trace decrease": 1 },
};

/** The mechanism is confirmed on the trained model of each seed, each claim held there, and its control was refuted. */
function expectSignatures({ bench_report: bench }: ReportV2, idea: string): void {
  expect(bench.mechanism_signature.confirmed).toBe(true);
  expect(bench.verdicts.strict.mechanism_stands).toBe(true);
  expect(bench.mechanism.map(({ seed }) => seed)).toEqual(bench.protocol.seeds);
  for (const { confirmed, claims } of bench.mechanism) {
    expect(confirmed).toBe(true);
    expect(claims.map(({ quantity }) => quantity)).toEqual(Object.keys(signatures[idea]!));
    for (const { quantity, where, observed, held, control } of claims) {
      expect({ quantity, where, held, refuted: control.refuted }).toEqual({
        quantity,
        where: "trained model",
        held: true,
        refuted: true,
      });
      expect(observed).toBeLessThanOrEqual(signatures[idea]![quantity]!);
    }
  }
}

const quick = (idea: string, jobs: number): string[] =>
  `bench run ${idea} --preset quick --jobs ${jobs}`.split(" ");

test.each(["moment-rank2", "residual-pivoted"])(
  "%s runs at preset quick, shows its mechanism on the trained models, refuses a verdict, verifies, and gives the same values with 1 and 2 workers and either set of kernels",
  async (idea) => {
    const [one, readable] = [emptyFolder(), emptyFolder()];
    const first = await gradstand(quick(idea, 1), one);
    expect(first.err).not.toMatch(/E_[A-Z]+/);
    expect(first.code).toBe(0);
    // Another number of workers and the other kernels at once: no value may depend on either.
    const slow = await gradstand(quick(idea, 2), readable, { GRADSTAND_KERNELS: "reference" });
    expect(slow.code).toBe(0);
    expect(reportIn(one, idea).bench_report.provenance.kernels).toBe("simd");
    expect(reportIn(readable, idea).bench_report.provenance.kernels).toBe("reference");
    expect(valuesOf(reportIn(readable, idea))).toEqual(valuesOf(reportIn(one, idea)));
    expect(reportIn(one, idea).bench_report.verdicts.strict.verdict).toBe("inconclusive");
    expectSignatures(reportIn(one, idea), idea);
    expect(first.out).toMatch(/UNINFORMATIVE/);
    expect(first.out).toMatch(/next: npx gradstand bench run \S+ --out reports\/\S+-informative$/m);
    const verified = await gradstand(
      ["bench", "verify", path.join("reports", idea, "bench_report.json")],
      one,
    );
    expect(verified.out).toMatch(/The report holds/);
    expect(verified.code).toBe(0);
    const page = path.join("reports", idea, "bench_report.html");
    expect(filesBelow(one).filter((file) => !/\.(json|cells)$/.test(file))).toEqual([page]);
    const again = await gradstand(quick(idea, 2), one);
    expect(again.err).toMatch(/stored/);
    expect(again.err).not.toMatch(/\d s\)/);
  },
  180_000,
);

test("Ctrl-C in mid-run ends with 130, the command that resumes, no half-written file, and finished cells kept", async () => {
  const folder = emptyFolder();
  const words = "bench run moment-rank2 --train 200 --epochs 2 --jobs 2".split(" ");
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
  expect(err).toMatch(/To go on where it stopped: npx gradstand bench resume reports\/moment-rank2/);
  const files = filesBelow(folder).filter((file) => !file.endsWith(".cells"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(file).toMatch(/\.json$/);
    expect(() => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as unknown).not.toThrow();
  }
  expect(files.filter((file) => file.startsWith("reports"))).toEqual([
    path.join("reports", "moment-rank2", "bench_run.json"),
  ]);
}, 120_000);
