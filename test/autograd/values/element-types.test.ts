import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as gradstand from "../../../src/autograd/index.js";
import { add, concat, einsum, mul, tensor, where, type Tensor } from "../../../src/autograd/index.js";
import { promote, type DType } from "../../../src/tensor/index.js";

const page = readFileSync(fileURLToPath(new URL("../../../docs/element-types.md", import.meta.url)), "utf8");
const types: readonly DType[] = ["bool", "int32", "float32", "float64"];

/** The rows of the tables below a heading, each cell as the words in backquotes. */
function rows(heading: string): string[][][] {
  const section = page.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)),
    );
}

/** How an operation is called on one matrix of a type. */
const calls: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  clip: (x) => x.clip(0, 1),
  scatterAdd: (x) => x.scatterAdd([0], x.slice([[0, 1]])),
  cumsum: (x) => x.cumsum(0),
  cumprod: (x) => x.cumprod(0),
  einsum: (x) => einsum("ij,jk->ik", x, x),
  where: (x) => where(x.equal(0), x, x),
  concat: (x) => concat([x, x]),
  stack: (x) => gradstand.stack([x, x]),
  reshape: (x) => x.reshape([4]),
  permute: (x) => x.permute([1, 0]),
  expand: (x) => x.expand([2, 2, 2]),
  unsqueeze: (x) => x.unsqueeze(0),
  split: (x) => x.split(2)[0]!,
  pad: (x) =>
    x.pad([
      [1, 0],
      [0, 0],
    ]),
  slice: (x) => x.slice([0]),
  gather: (x) => x.gather([0]),
  takeAlongAxis: (x) => x.takeAlongAxis([[0], [1]]),
};

const binary = ["add", "sub", "mul", "scale", "maximum", "minimum", "div", "pow", "matmul"].concat([
  "equal",
  "notEqual",
  "less",
  "lessEqual",
  "greater",
  "greaterEqual",
  "logicalAnd",
  "logicalOr",
]);

function result(name: string, x: Tensor): Tensor {
  const f = (gradstand as unknown as Record<string, (...xs: Tensor[]) => Tensor>)[name]!;
  return calls[name]?.(x) ?? (binary.includes(name) ? f(x, x) : f(x));
}

describe("docs/element-types.md", () => {
  test("has the promotion table", () => {
    const table = rows("Promotion");
    expect(table.map(([type]) => type![0])).toEqual(types);
    table.forEach(([[a]], i) =>
      types.forEach((b, j) => {
        expect(promote(a as DType, b), `${a} and ${b}`).toBe(table[i]![j + 1]![0]);
        const pair = [tensor([1], { dtype: a as DType }), tensor([1], { dtype: b })] as const;
        const arithmetic = promote(a as DType, b) === "bool" ? "int32" : promote(a as DType, b);
        expect(mul(...pair).dtype).toBe(arithmetic);
        expect(where([true], ...pair).dtype).toBe(promote(a as DType, b));
      }),
    );
  });

  test("has the type of every result", () => {
    const named = new Set<string>();
    for (const [names, ...results] of rows("Results")) {
      for (const name of names!) {
        named.add(name);
        types.forEach((type, i) => {
          const x = tensor(
            [
              [1, 0],
              [1, 1],
            ],
            { dtype: type },
          );
          expect(result(name, x).dtype, `${name} of ${type}`).toBe(results[i]![0]);
        });
      }
    }
    const others = new Set(["cholesky", "solveTriangular", "svd", "cast", "stopGradient"]);
    const methods = Object.keys(gradstand).filter((name) => name in gradstand.Tensor.prototype);
    expect(methods.filter((name) => !named.has(name) && !others.has(name))).toEqual(["backward", "grad"]);
  });
});

describe("plain numbers", () => {
  test("take the type beside them", () => {
    const double = tensor([1], { dtype: "float64" });
    expect(double.mul(0.1).toArray()).toEqual([0.1]);
    expect(double.mul([0.1]).toArray()).toEqual([0.1]);
    expect(add(0.1, double).toArray()).toEqual([1.1]);
    expect(tensor([1]).add(0.1).dtype).toBe("float32");
    expect(tensor([1]).equal(0.1).toArray()).toEqual([false]);
    expect(tensor([0.1]).equal(0.1).toArray()).toEqual([true]);
    const int = tensor([1], { dtype: "int32" });
    expect(
      [int.add(1), int.add([1, 2]), int.add(0.5), int.add([0.5]), int.add(2 ** 31)].map((x) => x.dtype),
    ).toEqual(["int32", "int32", "float32", "float32", "float32"]);
    expect(
      [int.add(true), int.add([true]), tensor([true]).add(1), tensor([true]).add(true)].map((x) => x.dtype),
    ).toEqual(["int32", "int32", "int32", "int32"]);
    expect(int.add(NaN).dtype).toBe("float32");
    expect(int.add(Float64Array.of(1)).dtype).toBe("float64");
    expect(add(1, 2).dtype).toBe("float32");
  });

  test("what is no number is refused, not turned into NaN", () => {
    const x = tensor([1, 2]);
    for (const bad of [undefined, null, "1", {}, [1, "2"], [undefined, 1], 1n, new Map()])
      expect(() => x.add(bad as never), String(bad)).toThrow(/E_VALUE|E_SHAPE/);
  });
});

describe("cast", () => {
  test("truncates, wraps around and tests for 0", () => {
    const x = tensor([1.9, -1.9, NaN, Infinity, 2 ** 31, 0, -0]);
    expect(x.cast("int32").toArray()).toEqual([1, -1, 0, 0, -(2 ** 31), 0, 0]);
    expect(x.cast("bool").toArray()).toEqual([true, true, true, true, true, false, false]);
    expect(tensor([true, false]).cast("float64").toArray()).toEqual([1, 0]);
    expect(tensor([0.1], { dtype: "float64" }).cast("float32").values()[0]).toBe(Math.fround(0.1));
    expect(x.cast("float32").toArray()).toEqual(x.toArray());
    expect(() => x.cast("float16" as never)).toThrow(/E_DTYPE.*float16/s);
  });
});
