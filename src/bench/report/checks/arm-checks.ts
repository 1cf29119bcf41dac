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

/** Up to so many values each is a suspect when the mean fails; each suspect costs a check of the whole report. */
const fewValues = 32;

/**
 * What each value would have to be for the reported mean to hold: n·mean − the others. Of many values only those
 * with which the reported deviation holds as well.
 */
function impliedByMean(report: Report, path: string, values: readonly number[]): Suspect[] {
  const reported = valueAt(report, `${path}.mean`);
  const deviation = Number(valueAt(report, `${path}.std`));
  if (typeof reported !== "number" || !Number.isFinite(reported)) return [];
  const single = mostlyFloat32(values);
  const n = values.length;
  const total = values.reduce((sum, value) => sum + value, 0);
  const squares = values.reduce((sum, value) => sum + (value - reported) ** 2, 0);
  return values.flatMap((value, at) => {
    const rest =
      n > fewValues ? total - value : values.reduce((sum, one, other) => (other === at ? sum : sum + one), 0);
    const exactly = reported * n - rest;
    const implied = single ? Math.fround(exactly) : exactly;
    const spread = Math.sqrt((squares - (value - reported) ** 2 + (implied - reported) ** 2) / n);
    if (n > fewValues && !(Math.abs(spread - deviation) <= 1e-6 * deviation)) return [];
    return [{ path: childPath(`${path}.per_seed`, at), implied }];
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
