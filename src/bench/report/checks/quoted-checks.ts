import { benchOf, benchPrefix, statementOf, type Report } from "../document-v2.js";
import type { Judgement } from "../judge.js";
import { childPath } from "../path.js";
import type { Clue } from "./check.js";
import { printedLike, quotedNumber, roundsTo } from "./quoted-number.js";
import type { Quotable, Quotation } from "./quotation.js";
import { quotations } from "./quotations.js";

/** The numbers in a report's sentences against its figures, to the places that are printed. */
export function quotedChecks(report: Report, judgement: Judgement): Clue[] {
  const statement = statementOf(report);
  if (!statement) return [];
  const texts: [string, string][] = [
    ["verdict", statement.verdict],
    ["limitations", statement.limitations],
    ...Object.entries(statement.metrics).map(([key, text]): [string, string] => [
      childPath("metrics", key),
      text,
    ]),
  ];
  const known = quotations(benchOf(report), benchPrefix(report), judgement);
  return texts.flatMap(([path, text]) =>
    known
      .filter((quotation) => quotation.in.test(path))
      .flatMap((quotation) => textChecks(path, text, quotation)),
  );
}

function textChecks(path: string, text: string, quotation: Quotation): Clue[] {
  return [...text.matchAll(quotation.pattern)].flatMap((match) => {
    const caught = match.flatMap((part: string | undefined, group) =>
      group > 0 && part !== undefined ? [{ part, at: match.indices?.[group]?.[0] ?? 0 }] : [],
    );
    const figures = quotation.figures(caught.map(({ part }) => Number(part)));
    return caught.flatMap(({ part, at }, index) => {
      const meant = figures[index];
      return meant ? [numberCheck(path, text, part, at, meant)] : [];
    });
  });
}

function numberCheck(path: string, text: string, part: string, at: number, meant: Quotable): Clue {
  const quoted = quotedNumber(part);
  const { value, exact = false, path: source } = meant;
  const printed = exact ? String(value) : printedLike(value, quoted);
  return {
    kind: "quoted",
    path,
    reported: part,
    recomputed: printed,
    relativeError: undefined,
    holds: exact ? value === quoted.value : roundsTo(value, quoted),
    note: "quoted in the text, to the places printed",
    implied: text.slice(0, at) + printed + text.slice(at + part.length),
    suspects: source === undefined ? [] : [{ path: source, implied: quoted.value, rounded: !exact }],
    coarse: true,
  };
}
