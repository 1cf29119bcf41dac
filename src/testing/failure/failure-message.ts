import type { SourceLine } from "../../autograd/source-line.js";
import type { LawFailure } from "../law-failure.js";
import type { LawResult } from "../law-result.js";

/** The most lines of a message. */
const mostLines = 15;

/** The widest line, but for one that is to be pasted. */
const widest = 160;

/** The folder that paths are shown from; none in a browser. */
const here = typeof process === "undefined" ? "\0" : `${process.cwd()}/`;

/**
 * At most 15 lines: the law and what broke it, expected and found, a hint, the first operation that breaks it on its own with the
 * line of code that called it, and a line to paste that shows it again.
 */
export function failureMessage({ law, worst, tolerance, failure }: LawResult): string {
  if (!failure) return `${law} does not hold`;
  const { expected, found, sources, hint, replay } = failure;
  const from = (source: string | undefined): string => (source ? `  (${source})` : "");
  const lines = [
    `${law} does not hold: ${placeOf(failure)}`,
    `  expected ${expected}${from(sources?.expected)}`,
    `  found    ${found}${from(sources?.found)}`,
    `  error    ${Number.isFinite(worst) ? worst.toPrecision(3) : "without bound"}, allowed ${tolerance}`,
    ...(hint ? [`  hint     ${hint}`] : []),
    ...operationLines(failure),
    ...(replay ? ["  smallest failing inputs, to paste:", `    ${replay}`] : []),
  ];
  return lines
    .flatMap((line) => line.split("\n"))
    .map((line) =>
      line.length > widest && !line.includes("tensor(") ? `${line.slice(0, widest - 1)}…` : line,
    )
    .slice(0, mostLines)
    .join("\n");
}

function operationLines({ firstOperation }: LawFailure): string[] {
  if (firstOperation === undefined) return [];
  if (firstOperation === null)
    return [
      "  every operation keeps the law on its own: look between them, for detach(), values(), item() or assign()",
    ];
  const { name, at, where, source } = firstOperation;
  return [
    `  first operation that breaks it on its own: '${name}' (number ${at + 1}), ${where}`,
    ...(source ? [`    called ${placeText(source)}`] : []),
  ];
}

function placeText({ file, line, column, within }: SourceLine): string {
  return `at ${file.startsWith(here) ? file.slice(here.length) : file}:${line}:${column}${within ? ` in ${within}` : ""}`;
}

/** What failed and where in it, in words. */
export function placeOf({ where, element }: LawFailure): string {
  return element === undefined ? where : `${where}, element ${element}`;
}
