import { benchOf, benchPrefix, type Report } from "../document-v2.js";
import { armFigures } from "../figures/arm-figures.js";
import { childPath, valueAt } from "../path.js";
import { figureCheck, isFloat32, mostlyFloat32, tolerance, type Clue, type Suspect } from "./check.js";

/** Mean, standard deviation and n of both arms, and that every value is a float32 number when most are. */
export function armChecks(report: Report): Clue[] {
  const bench = benchOf(report);
  const prefix = benchPrefix(report);
  const arms = [
    { path: `${prefix}baseline.full`, values: bench.baseline.full.per_seed },
    { path: `${prefix}idea`, values: bench.idea.per_seed },
  ];
  return [
    ...arms.flatMap(({ path, values }) => valuesChecks(report, path, values)),
    ...float32Checks(report, arms[0], arms[1]),
  ];
}

/** Mean, standard deviation and n of the values that stand at `path.per_seed`. */
export function valuesChecks(report: Report, path: string, values: readonly number[]): Clue[] {
  const { mean, std, n } = armFigures(values);
  const suspects = impliedByMean(report, path, values);
  const scale = Math.max(...values.map(Math.abs));
  return [
    figureCheck(report, `${path}.mean`, mean, { suspects, scale }),
    figureCheck(report, `${path}.std`, std, { note: "population standard deviation", suspects, scale }),
    figureCheck(report, `${path}.n`, n),
  ];
}

/** What each value would have to be for the reported mean to hold: n·mean − the others. */
function impliedByMean(report: Report, path: string, values: readonly number[]): Suspect[] {
  const reported = valueAt(report, `${path}.mean`);
  if (typeof reported !== "number" || !Number.isFinite(reported)) return [];
  const single = mostlyFloat32(values);
  return values.map((_, at) => {
    const others = values.reduce((sum, value, other) => (other === at ? sum : sum + value), 0);
    const implied = reported * values.length - others;
    return { path: childPath(`${path}.per_seed`, at), implied: single ? Math.fround(implied) : implied };
  });
}

interface Arm {
  readonly path: string;
  readonly values: readonly number[];
}

/**
 * A value that is no float32 number, among values that are and beside a difference that implies one, was
 * altered. Where the difference agrees with it, it is only a value of another kind.
 */
function float32Checks(report: Report, baseline: Arm, idea: Arm): Clue[] {
  const { per_seed_diffs: diffs } = benchOf(report).comparison;
  const implied = (arm: Arm, at: number): number =>
    arm === baseline ? idea.values[at] - diffs[at] : baseline.values[at] + diffs[at];
  const close = (one: number, other: number): boolean => Math.abs(one - other) <= tolerance * Math.abs(other);
  return [baseline, idea].flatMap((arm) => {
    if (!mostlyFloat32(arm.values)) return [];
    return arm.values.flatMap((value, at) => {
      const other = implied(arm, at);
      const single = Math.fround(other);
      if (isFloat32(value) || !close(other, single) || close(value, single)) return [];
      const path = childPath(`${arm.path}.per_seed`, at);
      const note = "no float32 number, as the other values are";
      return [{ ...figureCheck(report, path, single, { note }), holds: false }];
    });
  });
}
