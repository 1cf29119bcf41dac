import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const folder = new URL("../../../src/tensor/math/", import.meta.url);
const float64Only = ["erf64.ts"];
const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !float64Only.includes(file));

/** The code of a file: without comments, and without functions for float64 only. */
function codeOf(file: string): string {
  return readFileSync(new URL(file, folder), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
    .replaceAll(/export function \w+64\([\s\S]*?\n}/g, "");
}

describe("float32 functions", () => {
  it("use only operations that every platform rounds alike", () => {
    const exact = ["fround", "abs", "min", "max", "trunc", "floor", "sqrt"];
    const used = files.flatMap((file) =>
      [...codeOf(file).matchAll(/Math\.(\w+)/g)].map((match) => match[1]!),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !exact.includes(name))).toEqual([]);
  });

  it("of float32 arithmetic alone have float32 coefficients", () => {
    const single = [
      "exp-reduction.ts",
      "exp32.ts",
      "expm132.ts",
      "tanh32.ts",
      "log-reduction.ts",
      "sin-cos32.ts",
    ];
    const literals = single.flatMap((file) => [...codeOf(file).matchAll(/(?<![\w.])\d+\.\d+(e-?\d+)?/g)]);
    expect(literals.length).toBeGreaterThan(20);
    expect(literals.map(([text]) => Number(text)).filter((value) => Math.fround(value) !== value)).toEqual(
      [],
    );
  });
});
