/** A number as a text prints it. */
export interface QuotedNumber {
  readonly text: string;
  readonly value: number;
  /** Half a unit in the last printed place. */
  readonly halfUnit: number;
}

/** The source of a pattern that matches a number in a sentence: a final stop is not part of it. */
export const numberPattern = String.raw`[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`;

/** Reads a number with the precision that it is printed to: 1.4e-6 stands for 1.35e-6 to 1.45e-6. */
export function quotedNumber(text: string): QuotedNumber {
  const [, fraction = "", exponent = "0"] = /^[-+]?\d+(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  return { text, value: Number(text), halfUnit: 0.5 * 10 ** (Number(exponent) - fraction.length) };
}

/** Whether a figure rounds to the printed number, a few units of rounding aside. */
export function roundsTo(figure: number, quoted: QuotedNumber): boolean {
  return Math.abs(figure - quoted.value) <= quoted.halfUnit * (1 + 1e-9) + 1e-15 * Math.abs(figure);
}

/** A figure printed to the same places as a quoted number, its sign and exponent written alike. */
export function printedLike(figure: number, { text }: QuotedNumber): string {
  const [mantissa, exponent] = text.split(/[eE]/);
  const places = mantissa.split(".")[1]?.length ?? 0;
  const printed = exponent === undefined ? figure.toFixed(places) : figure.toExponential(places);
  return text.startsWith("+") && figure >= 0 ? `+${printed.replace("+", "")}` : printed;
}
