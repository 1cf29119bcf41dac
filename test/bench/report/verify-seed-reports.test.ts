import { describe, expect, test } from "vitest";
import { verifyReport, type Verification } from "../../../src/bench/report/index.js";
import {
  corruptPath,
  corruptValue,
  seedReport,
  soundReport,
  trueValue,
  type SeedName,
} from "./seed-report.js";

const checkOf = (verification: Verification, path: string) =>
  verification.checks.find((check) => check.path === path) ?? expect.fail(`no check of ${path}`);

describe("the first report", () => {
  const verification = verifyReport(seedReport("moment_preserving"));

  test("recomputes", () => {
    expect(verification).toMatchObject({ version: 1, holds: true, faults: [] });
  });

  test("gives its own verdict fields by the rules of seed-v1, and nothing certain by the strict ones", () => {
    expect(verification.verdicts.seed).toMatchObject({
      worked: false,
      comparison_verdict: "no significant win",
      system_verdict: "partial",
      practical_verdict: "inconclusive",
      mechanism_ok: 1,
    });
    expect(verification.verdicts.strict.verdict).toBe("inconclusive");
    expect(verification.verdicts.strict.caps.map(({ code }) => code)).toEqual([
      "test-selection",
      "grid-edge",
      "unequal-tuning",
    ]);
  });

  test("its p-value is 8116 of 20000", () => {
    expect(checkOf(verification, "bench_report.comparison.p_value")).toMatchObject({
      reported: 0.4058,
      recomputed: 8116 / 20000,
      relativeError: 0,
      holds: true,
    });
  });

  test("what is taken on trust is listed", () => {
    const trusted = new Map(verification.trusted.map(({ path, why }) => [path, why]));
    expect(trusted.get("confidence")).toBe("the author's own confidence");
    expect(trusted.get("bench_report.baseline.sweep[0].mean")).toMatch(/values are not reported/);
    expect(trusted.get("bench_report.protocol.seeds")).toBe("measured or chosen, not derived");
    expect(trusted.get("verdict")).toBe("a text, apart from the figures that it quotes");
    expect(trusted.has("bench_report.mechanism_signature.trained_model.raw_norm")).toBe(true);
    expect(trusted.has("bench_report.baseline.sweep[2].mean")).toBe(false);
    expect(trusted.has("bench_report.baseline.full.per_seed[0]")).toBe(false);
  });
});

describe("the second report", () => {
  const verification = verifyReport(seedReport("residual_pivoted"));

  test("has one corrupt value, which is named with the value that the printed difference implies", () => {
    expect(verification.holds).toBe(false);
    expect(verification.faults).toHaveLength(1);
    expect(verification.faults[0]).toMatchObject({
      path: corruptPath,
      reported: corruptValue,
      implied: trueValue,
    });
    expect(verification.faults[0].why).toMatch(/no float32 number/);
    expect(verification.faults[0]).not.toHaveProperty("alternatives");
  });

  test("has every other figure printed, and right once that value is", () => {
    const failing = verification.checks.filter(({ holds }) => !holds);
    expect(failing.map(({ path }) => path)).toEqual([corruptPath]);
    const clean = verifyReport(soundReport("residual_pivoted"));
    expect(clean).toMatchObject({ holds: true, faults: [] });
    expect(verification.checks.filter(({ holds }) => holds)).toEqual(clean.checks);
  });

  test("its p-value is 16811 of 20000, and the error of its mechanism 7.2505e-4", () => {
    expect(checkOf(verification, "bench_report.comparison.p_value").recomputed).toBe(16811 / 20000);
    const error = checkOf(verification, "bench_report.mechanism_signature.relative_error");
    expect(error.recomputed).toBeCloseTo(0.00072505, 8);
    expect(error.holds).toBe(true);
  });

  test("ranked the baseline's configurations on half of the seeds, which is reported as unequal tuning", () => {
    expect(checkOf(verification, "bench_report.baseline.sweep[0].mean").note).toBe(
      "mean of the first 4 of 8 seeds: unequal tuning",
    );
    expect(checkOf(verification, "bench_report.idea.sweep[0].mean").note).toBe("mean of all 8 seeds");
    const unequal = verification.verdicts.strict.caps.find(({ code }) => code === "unequal-tuning");
    expect(unequal?.text).toMatch(/ranked on 4 seeds, the idea's on 8/);
  });

  test("gives its own verdict fields by the rules of seed-v1, and nothing certain by the strict ones", () => {
    expect(verification.verdicts.seed).toMatchObject({
      worked: false,
      system_verdict: "partial",
      practical_verdict: "no_effect",
      mechanism_ok: 1,
    });
    expect(verification.verdicts.strict.verdict).toBe("inconclusive");
    expect(verification.verdicts.strict.caps.map(({ code }) => code)).toContain("grid-edge");
  });
});

/** Reference values that were computed elsewhere. */
describe.each<[SeedName, Record<string, number>]>([
  [
    "moment_preserving",
    {
      extreme: 104,
      low: -0.00133485,
      high: 0.00313162,
      dz: 0.3011818,
      gz: 0.2675105,
      needed: 138,
      rel80: 48.1,
      r: 0.45,
    },
  ],
  [
    "residual_pivoted",
    {
      extreme: 216,
      low: -0.16546263,
      high: 0.14921721,
      dz: -0.0657438,
      gz: -0.0583938,
      needed: 26,
      rel80: 19.8,
      r: -0.58,
    },
  ],
])("the statistics of %s", (name, expected) => {
  const { statistics } = verifyReport(soundReport(name)).judgement;

  test("the exact sign-flip test and its inverted interval", () => {
    expect(statistics.sign_flip).toMatchObject({ method: "exact", extreme: expected.extreme, total: 256 });
    expect(statistics.sign_flip.p_value).toBe(expected.extreme / 256);
    expect(statistics.sign_flip_interval?.[0]).toBeCloseTo(expected.low, 8);
    expect(statistics.sign_flip_interval?.[1]).toBeCloseTo(expected.high, 8);
  });

  test("effect sizes, the 80 % MDE and the seeds needed for a difference of 10 %", () => {
    expect(statistics.effect.dz).toBeCloseTo(expected.dz, 7);
    expect(statistics.effect.hedges_gz).toBeCloseTo(expected.gz, 7);
    expect(statistics.effect.pair_correlation).toBeCloseTo(expected.r, 2);
    expect(statistics.mde_80.rel_pct).toBeCloseTo(expected.rel80, 1);
    expect(statistics.needed_seeds[1]).toEqual({ difference_pct: 10, pairs: expected.needed });
  });
});
