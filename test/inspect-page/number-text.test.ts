import fc from "fast-check";
import { expect, test } from "vitest";
import { shortText, wholeText } from "../../src/inspect-page/parts/number-text.js";
import { linear, logarithmic, tickText } from "../../src/inspect-page/plots/scale.js";
import { toJson } from "../../src/inspect/json-number.js";

const read = (text: string): number =>
  Number(text.replaceAll("−", "-").replace("+∞", "Infinity").replace("-∞", "-Infinity"));

test("a number with every digit reads back as itself, to the last bit", () => {
  fc.assert(
    fc.property(fc.float(), fc.double(), (single, double) => {
      expect(Math.fround(read(wholeText(toJson(single), "float32")))).toBe(single);
      expect(read(wholeText(toJson(double), "float64"))).toBe(double);
    }),
  );
  expect(wholeText(Math.fround(0.1), "float32")).toBe("0.1");
  expect(wholeText("-0", "float32")).toBe("−0");
});

test("a number for reading has four digits, and an exponent where it is small or large", () => {
  expect(
    [0.123456, -12, 0.0000123456, 1e6, "NaN", "-Infinity", 0].map((x) => shortText(x as number)),
  ).toEqual(["0.1235", "−12", "1.235e−5", "1e6", "NaN", "−∞", "0"]);
});

test("scales: 0 and 1 are their ends, ticks lie between, equal ratios are equal steps", () => {
  const log = logarithmic([1e-3, 10, NaN, 0]);
  expect([log.at(1e-3), log.at(0.1), log.at(10)].map((x) => Number(x.toFixed(12)))).toEqual([0, 0.5, 1]);
  expect(log.at(0)).toBeNaN();
  expect(log.ticks).toEqual([1e-3, 1e-2, 0.1, 1, 10]);
  expect(log.ticks.map((tick) => tickText(tick, true))).toEqual(["10⁻³", "10⁻²", "10⁻¹", "1", "10"]);
  const even = linear([-1, 3], 4);
  expect([even.at(-1), even.at(1), even.at(3)]).toEqual([0, 0.5, 1]);
  expect(even.ticks).toEqual([-1, 0, 1, 2, 3]);
  expect(linear([2, 2]).at(2)).toBe(0.5);
});
