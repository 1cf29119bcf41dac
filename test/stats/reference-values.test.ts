import { describe, expect, it } from "vitest";
import {
  bcaInterval,
  benjaminiHochberg,
  detectableEffect,
  dz,
  halfWidthMde,
  hedgesCorrection,
  hedgesGz,
  hodgesLehmann,
  holm,
  mean,
  neededPairs,
  pairCorrelation,
  pairedT,
  permutationP,
  power,
  probabilityOfImprovement,
  signFlipExact,
  signFlipInterval,
  standardError,
  tost,
} from "../../src/stats/index.js";
import values from "./fixtures/reference-values.json" with { type: "json" };
import { maize, momentReport, pivotedReport, sleep } from "./report-data.js";

/** Every reference value of the statistics beside the same value computed elsewhere: see fixtures/reference-values.py. */
const near = (found: number, expected: number, relative = 1e-12): void =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(relative * Math.abs(expected));

const reports = { moment: momentReport, pivoted: pivotedReport };
const names = ["moment", "pivoted"] as const;

describe("reference values, exact sign-flip test", () => {
  it.each([
    ["moment", momentReport.diffs, 104, 256],
    ["pivoted", pivotedReport.diffs, 216, 256],
    ["maize", maize, 1726, 32768],
    ["sleep", sleep, 4, 1024],
  ] as const)("%s: counted as exact fractions count", (name, diffs, extreme, total) => {
    expect([values.signFlip[name].extreme, values.signFlip[name].total]).toEqual([extreme, total]);
    expect(signFlipExact(diffs)).toMatchObject({ extreme, total });
    expect(signFlipExact(diffs, { alternative: "greater" }).extreme).toBe(values.signFlip[name].greater);
  });

  it("sleep has 4 extreme patterns; running sums in Gray order, without a tolerance for ties, lose some", () => {
    const observed = sleep.reduce((sum, difference) => sum + difference, 0);
    const signs = sleep.map(() => 1);
    let sum = observed;
    let extreme = 1;
    for (let step = 1; step < 1024; step++) {
      const flipped = 31 - Math.clz32(step & -step);
      signs[flipped] *= -1;
      sum += 2 * signs[flipped] * sleep[flipped];
      if (Math.abs(sum) >= Math.abs(observed)) extreme++;
    }
    expect(signFlipExact(sleep).extreme).toBe(4);
    expect(extreme).toBeLessThan(4);
  });

  it("zeros stay in and all zero gives 1", () => {
    expect(signFlipExact([...momentReport.diffs, 0, 0])).toMatchObject({ extreme: 416, total: 1024 });
    expect(signFlipExact([0, 0, 0, 0]).p).toBe(1);
  });

  it("t and p of maize and sleep as SciPy has them: 2.14799, 0.0497029; −4.062128, 0.00283289", () => {
    for (const [name, diffs, t, p] of [
      ["maize", maize, 2.14799, 0.0497029],
      ["sleep", sleep, -4.062128, 0.00283289],
    ] as const) {
      const found = pairedT(diffs);
      near(found.t, values.pairedT[name].t);
      near(found.p, values.pairedT[name].p);
      near(found.t, t, 2e-6);
      near(found.p, p, 1e-6);
    }
  });

  it("permp(5, 99, 462) = 0.05891775, the mean over all 462 exact p-values", () => {
    near(permutationP(5, 99, 462), values.permutationP);
    near(values.permutationP, 0.05891775, 1e-7);
  });
});

describe("reference values, intervals", () => {
  it.each([
    ["moment", momentReport.diffs, [-0.00133485, 0.00313162]],
    ["pivoted", pivotedReport.diffs, [-0.16546263, 0.14921721]],
    ["sleep", sleep, [-2.466667, -0.833333]],
  ] as const)("inverted sign-flip of %s: the k-th means of all subsets", (name, diffs, printed) => {
    signFlipInterval(diffs)!.forEach((end, i) => {
      near(end, values.signFlipInterval[name][i]);
      near(end, printed[i], 5e-6);
    });
  });

  it("inverted sign-flip: none for n ≤ 5, where k = 0; one for 6", () => {
    for (let n = 1; n <= 5; n++) expect(signFlipInterval(maize.slice(0, n))).toBeUndefined();
    expect(signFlipInterval(maize.slice(0, 6))).toEqual([-67, 49]);
  });

  it.each([
    ["moment", [-0.00117313, 0.00246136]],
    ["pivoted", [-0.1252416, 0.1045911]],
  ] as const)("BCa of %s: all 8⁸ resamples enumerated", (name, printed) => {
    const { low, high, degenerate } = bcaInterval(reports[name].diffs);
    [low, high].forEach((end, i) => {
      near(end, values.bca[name][i], 1e-11);
      near(end, printed[i], 5e-6);
    });
    expect(degenerate).toBe(false);
  });

  it("BCa of degenerate data falls back to [m, m] and says so", () => {
    expect(bcaInterval([0.1, 0.1, 0.1, 0.1])).toEqual({ low: 0.1, high: 0.1, degenerate: true });
  });
});

describe("reference values, effect sizes", () => {
  it("J(7) = 0.8882029, by mpmath's gamma function", () => {
    near(hedgesCorrection(7), values.hedgesCorrection7);
    near(values.hedgesCorrection7, 0.8882029, 1e-7);
  });

  it.each([
    ["moment", 0.3011818, 0.2675105, 0.00077557],
    ["pivoted", -0.0657438, -0.0583938, -0.0221009],
  ] as const)("dz, gz, Hodges–Lehmann, correlation and Wilson's interval of %s", (name, d, g, centre) => {
    const { diffs, baseline, idea } = reports[name];
    const expected = values.effect[name];
    near(dz(diffs), expected.dz);
    near(expected.dz, d, 1e-6);
    near(hedgesGz(diffs), expected.gz);
    near(expected.gz, g, 1e-6);
    near(hodgesLehmann(diffs), expected.hodgesLehmann);
    near(expected.hodgesLehmann, centre, 1e-5);
    near(pairCorrelation(baseline, idea), expected.correlation);
    const { wins, interval } = probabilityOfImprovement(diffs, "lower");
    expect(wins).toBe(expected.wins);
    interval.forEach((end, i) => near(end, expected.wilson[i]));
  });
});

describe("reference values, equivalence", () => {
  it("TOST of the worked pairs: margin 1 → 0.9293826, 2 → 0.8286101", () => {
    const b = [6, 8, 7, 10, 11, 9];
    const diffs = [4, 7, 8, 6, 3, 2].map((a, i) => a - b[i]);
    [0.9293826, 0.8286101].forEach((printed, i) => {
      near(tost(diffs, i + 1).p, values.tost.worked[i]);
      near(values.tost.worked[i], printed, 1e-7);
    });
  });

  it.each([
    ["moment", 0.4354],
    ["pivoted", 0.0279],
  ] as const)("TOST of the %s report at 15 %% of its baseline: %d", (name, printed) => {
    const { diffs, baseline } = reports[name];
    near(tost(diffs, 0.15 * mean(baseline)).p, values.tost[name]);
    expect(values.tost[name]).toBeCloseTo(printed, 4);
  });
});

describe("reference values, power", () => {
  it("d = 0.2 and 0.5 with n = 20: 0.1359563, 0.5645044", () => {
    near(power({ n: 20, dz: 0.2 }), values.power.d02n20, 1e-11);
    near(power({ n: 20, dz: 0.5 }), values.power.d05n20, 1e-11);
    near(values.power.d02n20, 0.1359563, 1e-7);
    near(values.power.d05n20, 0.5645044, 1e-7);
  });

  it("n for d = 0.5 at 0.8: 33.36713; smallest detectable d at n = 20: 0.66044, at n = 8: 1.15603", () => {
    near(neededPairs({ dz: 0.5 }), values.power.pairsFor05, 1e-10);
    near(detectableEffect({ n: 20 }), values.power.detectable20, 1e-10);
    near(detectableEffect({ n: 8 }), values.power.detectable8, 1e-10);
    near(values.power.pairsFor05, 33.36713, 1e-7);
    near(values.power.detectable20, 0.66044, 1e-5);
    near(values.power.detectable8, 1.15603, 1e-5);
  });
});

describe("reference values, multiplicity", () => {
  it("p = .52, .12, .0001, .03, .14: Holm and Benjamini–Hochberg", () => {
    const ps = [0.52, 0.12, 0.0001, 0.03, 0.14];
    expect(values.multiplicity.holm).toEqual([0.52, 0.36, 0.0005, 0.12, 0.36]);
    holm(ps).forEach((p, i) => near(p, values.multiplicity.holm[i]));
    benjaminiHochberg(ps).forEach((p, i) => near(p, values.multiplicity.bh[i]));
    [0.52, 0.175, 0.0005, 0.075, 0.175].forEach((p, i) => near(values.multiplicity.bh[i], p));
  });
});

describe("reference values, the reports' own mde", () => {
  it("2.365·sd/√8, the exact quantile 1.6e-4 relative below", () => {
    for (const name of names) {
      const { diffs } = reports[name];
      near(halfWidthMde(diffs) / standardError(diffs), 2.365);
    }
    expect(2.365 / values.quantile975df7 - 1).toBeCloseTo(1.6e-4, 5);
  });
});
