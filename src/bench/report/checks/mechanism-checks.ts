import type { Json } from "../../../ideas/index.js";
import { benchOf, benchPrefix, type Report } from "../document-v2.js";
import type { JsonObject } from "../document.js";
import { childPath } from "../path.js";
import { isObject } from "../shape.js";
import { figureCheck, type Clue } from "./check.js";

/**
 * What the mechanism's figures say of each other, in the inner object `trained_model` too when there is one.
 */
export function mechanismChecks(report: Report): Clue[] {
  const { mechanism_signature: signature, math_verification: mathematics } = benchOf(report);
  const prefix = benchPrefix(report);
  const path = `${prefix}mechanism_signature`;
  const trained = signature.trained_model;
  return [
    ...objectChecks(report, path, signature),
    ...(mathematics
      ? repeatedFigures(report, path, signature, `${prefix}math_verification`, mathematics)
      : []),
    ...(isObject(trained) ? trainedChecks(report, path, signature.confirmed, trained as JsonObject) : []),
  ];
}

function trainedChecks(report: Report, path: string, confirmed: boolean, trained: JsonObject): Clue[] {
  const inner = `${path}.trained_model`;
  const checks = objectChecks(report, inner, trained);
  if (typeof trained.confirmed === "boolean") {
    checks.push(
      figureCheck(report, `${inner}.confirmed`, confirmed, {
        note: `as ${path}.confirmed`,
        suspects: [{ path: `${path}.confirmed`, implied: trained.confirmed }],
      }),
    );
  }
  return checks;
}

function objectChecks(report: Report, path: string, figures: JsonObject): Clue[] {
  const { predicted, observed, relative_error: error } = figures;
  const checks: Clue[] = [];
  if (typeof predicted === "number" && typeof observed === "number" && typeof error === "number") {
    const above = observed >= predicted ? 1 : -1;
    checks.push(
      figureCheck(report, `${path}.relative_error`, Math.abs(observed - predicted) / Math.abs(predicted), {
        note: "|observed − predicted|/|predicted|",
        scale: 1,
        suspects: [
          { path: `${path}.observed`, implied: predicted + above * error * Math.abs(predicted) },
          { path: `${path}.predicted`, implied: observed / (1 + above * error * Math.sign(predicted)) },
        ],
      }),
    );
  }
  if ("moment_residual" in figures && "observed_residual" in figures) {
    checks.push(
      figureCheck(report, `${path}.observed_residual`, figures.moment_residual, {
        note: `as ${path}.moment_residual`,
        suspects: [{ path: `${path}.moment_residual`, implied: figures.observed_residual }],
      }),
    );
  }
  return checks;
}

/** `math_check_x` of the signature repeats `x` of the mathematical check. */
function repeatedFigures(
  report: Report,
  path: string,
  signature: JsonObject,
  mathPath: string,
  mathematics: JsonObject,
): Clue[] {
  return Object.entries(signature).flatMap(([key, value]: [string, Json]) => {
    const name = key.startsWith("math_check_") ? key.slice("math_check_".length) : "";
    if (name === "" || !Object.hasOwn(mathematics, name)) return [];
    const source = childPath(mathPath, name);
    return [
      figureCheck(report, childPath(path, key), mathematics[name], {
        note: `as ${source}`,
        suspects: [{ path: source, implied: value }],
      }),
    ];
  });
}
