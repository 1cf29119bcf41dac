import type { LawResult } from "./law-result.js";

/** At most 15 lines: the law, the element, what was expected and what was found. */
export function failureMessage({ law, worst, tolerance, failure }: LawResult): string {
  if (!failure) return `${law} does not hold`;
  const { where, expected, found, sources } = failure;
  const from = (source: string | undefined): string => (source ? ` (${source})` : "");
  return [
    `${law} does not hold: ${where}`,
    `  expected ${expected}${from(sources?.expected)}`,
    `  found    ${found}${from(sources?.found)}`,
    `  error ${errorText(worst)}, allowed ${tolerance}`,
  ].join("\n");
}

function errorText(worst: number): string {
  return Number.isFinite(worst) ? worst.toPrecision(3) : "without bound";
}
