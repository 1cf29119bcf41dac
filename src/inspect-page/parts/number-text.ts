import type { JsonNumber } from "../../inspect/document.js";
import { fromJson } from "../../inspect/json-number.js";
import type { DType } from "../../tensor/index.js";

/** A number for reading: four significant digits. */
export function shortText(number: JsonNumber): string {
  const value = fromJson(number);
  if (!Number.isFinite(value)) return specialText(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e6)
    return signed(Object.is(value, -0) ? "-0" : String(value));
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return signed(String(Number(value.toPrecision(4))));
  return signed(
    value
      .toExponential(3)
      .replace(/\.?0+e/, "e")
      .replace("e+", "e"),
  );
}

/** The shortest text that reads back as the same number of its type, every bit. */
export function wholeText(number: JsonNumber, dtype: DType): string {
  const value = fromJson(number);
  if (!Number.isFinite(value)) return specialText(value);
  if (Object.is(value, -0)) return signed("-0");
  if (dtype === "float32" && Math.fround(value) === value)
    for (let digits = 1; digits < 10; digits++) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return signed(String(short));
    }
  return signed(String(value));
}

const specialText = (value: number): string => (Number.isNaN(value) ? "NaN" : value > 0 ? "+∞" : "−∞");

const signed = (text: string): string => text.replaceAll("-", "−");

/** `4 × 64`, `scalar`. */
export function shapeWords(shape: readonly number[]): string {
  return shape.length === 0 ? "scalar" : shape.length === 1 ? `${shape[0]} elements` : shape.join(" × ");
}

/** `[4,64]`, `scalar`. */
export const shapeText = (shape: readonly number[]): string =>
  shape.length === 0 ? "scalar" : `[${shape.join(",")}]`;

/** `1 operation`, `3 operations`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** The name of an input in formulas and rules: a, b, c … */
export const letterOf = (input: number): string =>
  input < 26 ? String.fromCharCode(97 + input) : `input ${input + 1}`;
