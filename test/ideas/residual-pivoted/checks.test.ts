import { describe, expect, test } from "vitest";
import { gradientCheck } from "../../../src/ideas/residual-pivoted/evidence/attention-checks.js";
import { residualPivotedChecks } from "../../../src/ideas/residual-pivoted/evidence/checks.js";
import { layerParts, type LayerParts } from "../../../src/ideas/residual-pivoted/evidence/layer-parts.js";
import { randomProblem } from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import { defaultSettings } from "../../../src/ideas/residual-pivoted/settings.js";
import { generator } from "../../../src/random/index.js";
import { withElimination, withForward, withGradients, withLaw, withMass } from "./broken-parts.js";

const names = [
  "trace identity, float32",
  "trace identity, float64",
  "mean residual, float64",
  "sampled trace identity",
  "uniform pivots break the identity",
  "residual is positive semidefinite, float64",
  "exact in the pivots' columns, float32",
  "exact in the pivots' columns, float64",
  "full rank is exact attention, float32",
  "full rank is exact attention, float64",
  "error identity, float64",
  "clamp never moves away, float64",
  "outputs lie among the values, float64",
  "gradient, float64",
] as const;
type Name = (typeof names)[number];

function failed(parts: LayerParts): string[] {
  const checks = residualPivotedChecks(defaultSettings, generator("broken"), parts);
  expect(checks.map(({ name }) => name)).toEqual(names);
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

interface Case {
  readonly what: string;
  readonly parts: LayerParts;
  /** The checks that must fail, and no others. */
  readonly fails: readonly Name[];
}

const cases: readonly Case[] = [
  {
    what: "Gaussian pivots",
    parts: withLaw((law) => (law === "exp" ? "gaussian" : law)),
    fails: [
      "trace identity, float32",
      "trace identity, float64",
      "mean residual, float64",
      "sampled trace identity",
    ],
  },
  {
    what: "greedy pivots",
    parts: withLaw((law) => (law === "exp" ? "greedy" : law)),
    fails: [
      "trace identity, float32",
      "trace identity, float64",
      "mean residual, float64",
      "sampled trace identity",
    ],
  },
  {
    what: "uniform pivots",
    parts: withLaw(() => "uniform"),
    fails: [
      "trace identity, float32",
      "trace identity, float64",
      "mean residual, float64",
      "sampled trace identity",
    ],
  },
  {
    what: "a control that follows the residual too",
    parts: withLaw(() => "exp"),
    fails: ["uniform pivots break the identity"],
  },
  {
    what: "a law that favours late rows by 1e-6 each",
    parts: withMass((share, row) => share * (1 + 1e-6 * row)),
    fails: ["trace identity, float32", "trace identity, float64", "mean residual, float64"],
  },
  {
    what: "a law that favours late rows by 1e-10 each",
    parts: withMass((share, row) => share * (1 + 1e-10 * row)),
    fails: ["trace identity, float64", "mean residual, float64"],
  },
  {
    what: "a diagonal that keeps what a pivot explained",
    parts: withElimination((residual) => residual.diagonal.fill(1)),
    fails: [
      "trace identity, float32",
      "trace identity, float64",
      "mean residual, float64",
      "sampled trace identity",
    ],
  },
  {
    what: "a factor that explains too much",
    parts: withElimination(({ factor, rank, rows }) => {
      for (let i = (rank - 1) * rows; i < rank * rows; i++) factor[i] = factor[i]! * (1 + 1e-9);
    }),
    fails: [
      "trace identity, float64",
      "mean residual, float64",
      "residual is positive semidefinite, float64",
    ],
  },
  {
    what: "a factor that is off by 1e-5 in float32 only",
    parts: withForward(({ factor, single }) => {
      if (single) factor[0] = factor[0]! + 1e-5;
    }),
    fails: ["exact in the pivots' columns, float32"],
  },
  {
    what: "a factor that is off by 1e-12",
    parts: withForward(({ factor }) => {
      for (let i = 0; i < factor.length; i++) factor[i] = factor[i]! * (1 + 1e-12);
    }),
    fails: ["exact in the pivots' columns, float64"],
  },
  {
    what: "an output that is off by 1e-4",
    parts: withForward((_, out) => {
      for (let i = 0; i < out.length; i++) out[i] = out[i]! * (1 - 1e-4);
    }),
    fails: [
      "full rank is exact attention, float32",
      "full rank is exact attention, float64",
      "clamp never moves away, float64",
      "outputs lie among the values, float64",
      "gradient, float64",
    ],
  },
  {
    what: "floors that are not reported",
    parts: withForward(({ floored }) => floored.fill(0)),
    fails: ["error identity, float64", "gradient, float64"],
  },
  {
    what: "floors everywhere",
    parts: withForward(({ floored }) => floored.fill(1)),
    fails: ["error identity, float64"],
  },
  {
    what: "no clamp",
    parts: withForward(({ raw }, out) => out.set(raw)),
    fails: ["outputs lie among the values, float64"],
  },
  {
    what: "a clamp to the mean of the output",
    parts: withForward((_, out) => out.fill(Array.from(out).reduce((sum, x) => sum + x, 0) / out.length)),
    fails: [
      "full rank is exact attention, float32",
      "full rank is exact attention, float64",
      "clamp never moves away, float64",
      "outputs lie among the values, float64",
      "gradient, float64",
    ],
  },
  { what: "no gradient in q", parts: withGradients(({ dq }) => dq.fill(0)), fails: ["gradient, float64"] },
  { what: "no gradient in k", parts: withGradients(({ dk }) => dk.fill(0)), fails: ["gradient, float64"] },
  {
    what: "a gradient in v that is off by 1e-6",
    parts: withGradients(({ dv }) => dv.set(dv.map((g: number) => g * (1 + 1e-6)))),
    fails: ["gradient, float64"],
  },
  {
    what: "an output that is NaN",
    parts: withForward((_, out) => out.fill(NaN)),
    fails: [
      "full rank is exact attention, float32",
      "full rank is exact attention, float64",
      "clamp never moves away, float64",
      "outputs lie among the values, float64",
      "gradient, float64",
    ],
  },
  {
    what: "a factor that is NaN",
    parts: withForward(({ factor }) => factor.fill(NaN)),
    fails: [
      "exact in the pivots' columns, float32",
      "exact in the pivots' columns, float64",
      "error identity, float64",
      "gradient, float64",
    ],
  },
  {
    what: "masses that are NaN",
    parts: withMass(() => NaN),
    fails: [
      "trace identity, float32",
      "trace identity, float64",
      "mean residual, float64",
      "sampled trace identity",
      "uniform pivots break the identity",
    ],
  },
];

describe("residualPivotedChecks", () => {
  test("passes the layer, which it checks by itself", () => {
    expect(failed(layerParts)).toEqual([]);
    expect(residualPivotedChecks(defaultSettings, generator("broken"))).toEqual(
      residualPivotedChecks(defaultSettings, generator("broken"), layerParts),
    );
  });

  test.each(cases)("fails $fails for a layer with $what", ({ parts, fails }) => {
    expect(failed(parts)).toEqual(fails);
  });

  test("does not pass a gradient on no point at all", () => {
    const size = { queries: 16, keys: 16, width: 8, channels: 8 };
    const smooth = [1, 2].map((seed) => randomProblem(size, false, 0.4, generator(seed)));
    const rough = smooth.map((problem) => ({ ...problem, v: problem.v.map(() => NaN) as Float64Array }));
    let passes = 0;
    const noWhere = withForward(({ clamped }) => clamped.fill(passes++ % 2));
    expect(gradientCheck(smooth, defaultSettings, generator(1))).toMatchObject({ passed: true });
    for (const [list, parts] of [
      [rough, layerParts],
      [smooth, noWhere],
      [[], layerParts],
    ] as const) {
      const check = gradientCheck(list, defaultSettings, generator(1), parts);
      expect(check.passed).toBe(false);
      expect(check.observed).toBeNaN();
    }
    expect(gradientCheck([], defaultSettings, generator(1)).statement).toContain("0 of 0");
    expect(gradientCheck(smooth, defaultSettings, generator(1), noWhere).statement).toContain("0 of 2");
  });

  test("has a broken layer for each of its checks", () => {
    expect(new Set(cases.flatMap(({ fails }) => fails))).toEqual(new Set(names));
  });
});
