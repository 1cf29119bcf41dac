import { numberPattern } from "./quoted-number.js";

/** A figure that a text may quote. */
export interface Quotable {
  readonly value: number;
  /** Where the figure stands when it follows from no other: then the text is a witness for it. */
  readonly path?: string;
  /** The text prints the figure in full, such as a learning rate. */
  readonly exact?: boolean;
}

/** What the numbers that a pattern catches in a text stand for. */
export interface Quotation {
  /** The texts in which the words mean this. */
  readonly in: RegExp;
  readonly pattern: RegExp;
  /**
   * The figure of each number caught, in order, given the numbers themselves; `undefined` where the report has
   * none.
   */
  figures(caught: readonly number[]): readonly (Quotable | undefined)[];
}

export const armNames = ["baseline", "idea"] as const;
export type ArmName = (typeof armNames)[number];

/** Words around numbers as a pattern: every `N` in them catches one. */
export function words(source: string): RegExp {
  return new RegExp(source.replaceAll("N", `(${numberPattern})`), "gd");
}

/** A text as a pattern that matches it alone; the letter N is not a number here. */
export const escaped = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("N", String.raw`\u004e`);

/** A number that the words quote from figures which do not depend on what was caught. */
export function quotation(place: RegExp, source: string, ...figures: (Quotable | undefined)[]): Quotation {
  return { in: place, pattern: words(source), figures: () => figures };
}

/** A figure that follows from others. */
export const plain = (value: number): Quotable => ({ value });

/** A figure that is printed in full; `path` is where it stands. */
export const exact = (value: number, path?: string): Quotable =>
  path === undefined ? { value, exact: true } : { value, path, exact: true };

/** A number of the report as a figure; `undefined` when the value is none. */
export function numberAt(value: unknown, path: string): Quotable | undefined {
  return typeof value === "number" ? { value, path } : undefined;
}

/** {@link numberAt} of a number that is printed in full. */
export function exactAt(value: unknown, path: string): Quotable | undefined {
  return typeof value === "number" ? exact(value, path) : undefined;
}

/** The text of `metrics` about an arm. */
export const textOf = (arm: ArmName): RegExp => new RegExp(`^metrics\\.${arm}$`);

export const anyText = /./;
export const verdictText = /^verdict$/;
export const limitationsText = /^limitations$/;
export const mechanismText = /^metrics\.mechanism_signature$/;
