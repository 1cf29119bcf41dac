import type { Birth, DeadUnits, HiddenRows, InspectNode } from "../document.js";
import { fromJson } from "../json-number.js";
import { elementText, numberText } from "./reader.js";

const largest: Readonly<Record<string, string>> = { float32: "3.4e38", float64: "1.8e308" };

/** What an operation did to make a NaN or an infinity, in plain words. */
export function birthSentence({ op, dtype }: InspectNode, birth: Birth): string {
  const operands = birth.operands?.map(fromJson) ?? [];
  const at = elementText(birth.element);
  const became = { NaN: "NaN", Infinity: "+∞", "-Infinity": "−∞" }[birth.kind];
  const more = birth.count > 1 ? `; ${birth.count} elements became ${became} there` : "";
  return `${cause(op!, operands, became, dtype, at)}${more}`;
}

/** What a rule did to make a NaN or an infinity of a finite gradient. */
export function partSentence({ op }: InspectNode, birth: Birth): string {
  const operands = birth.operands?.map(fromJson) ?? [];
  const at = elementText(birth.element);
  const inputs = operands.map(numberText).join(" and ");
  const of = operands.length > 0 ? ` of ${inputs}` : "";
  const why = slopes[op!]?.(operands) ?? "";
  return `the derivative of ${op}${of}${at} is not finite${why && `: ${why}`}`;
}

const slopes: Readonly<Record<string, (operands: readonly number[]) => string>> = {
  sqrt: ([x]) => (x === 0 ? "1/(2√x) at x = 0" : ""),
  log: ([x]) => `1/x at x = ${numberText(x!)}`,
  log1p: ([x]) => `1/(1 + x) at x = ${numberText(x!)}`,
  reciprocal: ([x]) => `−1/x² at x = ${numberText(x!)}`,
  div: ([, b]) => `1/b at b = ${numberText(b!)}`,
  pow: ([a, b]) => `b·a^(b−1) at a = ${numberText(a!)}, b = ${numberText(b!)}`,
};

function cause(op: string, operands: readonly number[], became: string, dtype: string, at: string): string {
  const [a, b] = operands;
  const beyond = `is beyond the largest ${dtype}, ${largest[dtype] ?? ""}, and gives ${became}`;
  const shown = operands.map(numberText);
  if (operands.some((x) => !Number.isFinite(x)) && operands.length === 2) {
    const sign = { add: "+", sub: "−", mul: "·", div: "/", scale: "·" }[op] ?? ",";
    return `${shown[0]} ${sign} ${shown[1]}${at} gives ${became}`;
  }
  if (a === undefined) return `${op}${at} gives ${became} though its inputs hold no NaN`;
  switch (op) {
    case "log":
      return a === 0 ? `log of 0${at} gives −∞` : `log of ${shown[0]}${at} is NaN: it needs a number above 0`;
    case "log1p":
      return a === -1
        ? `log1p of −1${at} gives −∞`
        : `log1p of ${shown[0]}${at} is NaN: it needs a number above −1`;
    case "sqrt":
      return `sqrt of ${shown[0]}${at} is NaN: it needs a number of at least 0`;
    case "reciprocal":
      return a === 0 ? `1 was divided by 0${at}, which gives ${became}` : `1/${shown[0]}${at} ${beyond}`;
    case "div":
      return b === 0
        ? `${shown[0]} was divided by 0${at}, which gives ${became}`
        : `${shown[0]}/${shown[1]}${at} ${beyond}`;
    case "exp":
    case "expm1":
      return `${op} of ${shown[0]}${at} overflows: it ${beyond}`;
    case "pow":
      return became === "NaN"
        ? `${shown[0]} to the power ${shown[1]}${at} is NaN: a negative number needs a whole exponent`
        : a === 0
          ? `0 to the power ${shown[1]}${at} gives ${became}`
          : `${shown[0]} to the power ${shown[1]}${at} ${beyond}`;
    default:
      return `${op} of ${shown.join(" and ")}${at} ${beyond}`;
  }
}

/** Which units of a layer are dead, in plain words. */
export function deadUnitsSentence({ op }: InspectNode, { count, units, first, rows }: DeadUnits): string {
  const which =
    count === 1 ? `unit ${first} of ${op} is dead` : `${count} of ${units} units of ${op} are dead`;
  const rest = count === 1 ? `the other ${units - 1} are not` : `the first is unit ${first}`;
  return `${which}: 0 in all ${rows} rows, so that nothing flows back through ${count === 1 ? "it" : "them"}; ${rest}`;
}

/** What a mask did that hides everything from a row, in plain words. */
export function hiddenRowsSentence({ op }: InspectNode, { count, rows, first }: HiddenRows): string {
  const where = first.length === 0 ? "its row" : `row [${first.join(",")}]`;
  return `a mask hides the whole of ${where} from ${op} (${count} of ${rows} rows are −∞ everywhere)`;
}
