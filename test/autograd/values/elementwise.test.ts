import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as gradstand from "../../../src/autograd/index.js";
import { clip, tensor, where, type Tensor, type TensorLike } from "../../../src/autograd/index.js";
import { broadcastShapes } from "../../../src/tensor/index.js";
import { broadcastPairs, dtypes } from "../arbitraries.js";
import special from "../fixtures/special-values.json" with { type: "json" };
import { at, built, expectSame, wholes } from "./naive.js";
import { runs } from "../../runs.js";

type Unary = (x: TensorLike) => Tensor;
type Binary = (a: TensorLike, b: TensorLike) => Tensor;

const functions = gradstand as unknown as Record<string, Unary & Binary>;
const number = (text: string): number =>
  ({ nan: NaN, inf: Infinity, "-inf": -Infinity })[text] ?? Number(text);

/** How far two numbers may be apart: the same special value, or a few roundings. */
function expectNearly(found: number, wanted: number, dtype: "float32" | "float64", what: string): void {
  if (!Number.isFinite(wanted) || wanted === 0) {
    expect(found, what).toBe(wanted);
    return;
  }
  const unit = dtype === "float32" ? 2 ** -24 : 2 ** -53;
  const least = dtype === "float32" ? 2 ** -149 : Number.MIN_VALUE;
  expect(Math.abs(found - wanted), `${what}: ${found}, NumPy ${wanted}`).toBeLessThanOrEqual(
    4 * unit * Math.abs(wanted) + least,
  );
}

describe("special values are NumPy's", () => {
  const points = special.points.map(number);
  describe.each(["float32", "float64"] as const)("in %s", (dtype) => {
    const x = tensor(points, { dtype });

    test.each(Object.entries(special.unary))("%s", (name, expected) => {
      const found = functions[name]!(x).values();
      expected[dtype].forEach((text, i) =>
        expectNearly(found[i]!, number(text), dtype, `${name}(${points[i]})`),
      );
    });

    test.each(Object.entries(special.binary))("%s", (name, expected) => {
      const found = functions[name]!(x.unsqueeze(1), x.unsqueeze(0)).values();
      expected[dtype].forEach((text, i) => {
        const [a, b] = [points[Math.floor(i / points.length)]!, points[i % points.length]!];
        const wanted = number(text);
        const zeros = (name === "maximum" || name === "minimum") && wanted === 0;
        expectNearly(
          zeros ? Math.abs(found[i]!) : found[i]!,
          zeros ? 0 : wanted,
          dtype,
          `${name}(${a}, ${b})`,
        );
      });
    });
  });
});

describe("float32", () => {
  test("the tanh form of gelu, at infinity and far out too", () => {
    const x = tensor([-Infinity, -1e30, -50, -1, 0, 1, 50, 1e30, Infinity, NaN], { requiresGrad: true });
    const y = x.gelu({ approximate: "tanh" });
    expect([...y.values()].map((v) => Math.round(v * 1e4) / 1e4)).toEqual([
      -0,
      -0,
      -0,
      -0.1588,
      0,
      0.8412,
      50,
      Math.fround(1e30),
      Infinity,
      NaN,
    ]);
    for (const approximate of ["tanh", "none"] as const) {
      x.grad = undefined;
      x.gelu({ approximate }).backward(new Float32Array(10).fill(1));
      const g = [...(x.grad as unknown as Tensor).values()].map((v) => Math.round(Math.abs(v) * 1e3) / 1e3);
      expect([g[0], g[1], g[2], g[4], g[6], g[7], g[8], g[9]]).toEqual([0, 0, 0, 0.5, 1, 1, 1, NaN]);
    }
  });
});

const loops: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  maximum: Math.max,
  minimum: Math.min,
  scale: (a, b) => (a === 0 ? 0 : a * b),
  equal: (a, b) => Number(a === b),
  notEqual: (a, b) => Number(a !== b),
  less: (a, b) => Number(a < b),
  lessEqual: (a, b) => Number(a <= b),
  greater: (a, b) => Number(a > b),
  greaterEqual: (a, b) => Number(a >= b),
  logicalAnd: (a, b) => Number(a !== 0 && b !== 0),
  logicalOr: (a, b) => Number(a !== 0 || b !== 0),
};

test.each(Object.entries(loops))("%s broadcasts as a plain loop, in all types", (name, loop) => {
  const pairs = broadcastPairs.chain(([a, b]) => fc.tuple(wholes(a), wholes(b), dtypes, dtypes));
  fc.assert(
    fc.property(pairs, ([left, right, typeA, typeB]) => {
      const a = left.cast(typeA);
      const b = right.cast(typeB);
      const shape = broadcastShapes("test", a.shape, b.shape);
      const read = (x: Tensor, index: number[]): number =>
        at(
          x,
          index.slice(shape.length - x.rank).map((i, axis) => (x.shape[axis] === 1 ? 0 : i)),
        );
      const found = functions[name]!(a, b);
      const wanted = built(shape, (index) => loop(read(a, index), read(b, index)), found.dtype);
      expectSame(
        found.dtype === "bool" ? found : found.add(0),
        found.dtype === "bool" ? wanted : wanted.add(0),
      );
    }),
    { numRuns: runs(80) },
  );
});

test("int32 wraps around at 32 bits", () => {
  const int = (value: number): Tensor => tensor([value], { dtype: "int32" });
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (a, b) => {
      expect(int(a).add(int(b)).item()).toBe((a + b) | 0);
      expect(int(a).sub(int(b)).item()).toBe((a - b) | 0);
      expect(int(a).mul(int(b)).item()).toBe(Math.imul(a, b));
      expect(int(a).square().item()).toBe(Math.imul(a, a));
    }),
  );
  expect(
    int(-(2 ** 31))
      .neg()
      .item(),
  ).toBe(-(2 ** 31));
  expect(
    int(-(2 ** 31))
      .abs()
      .item(),
  ).toBe(-(2 ** 31));
});

describe("choosing and limiting", () => {
  test("where picks by the condition, with broadcasting", () => {
    const found = where(tensor([[true], [false]]), tensor([1, 2]), 9);
    expect(found.toArray()).toEqual([
      [1, 2],
      [9, 9],
    ]);
    expect(where([true, false], 1, [2, NaN]).toArray()).toEqual([1, NaN]);
    expect(where(tensor([], { dtype: "bool" }), [], 1).shape).toEqual([0]);
    expect(() => where(tensor([1, 0]), 1, 2)).toThrow(/E_DTYPE.*bool.*float32/s);
    expect(() => where([true, false], [1, 2, 3], 0)).toThrow(/E_SHAPE.*where.*\[2\].*\[3\]/s);
  });

  test("clip keeps whole numbers whole when the bounds are", () => {
    expect(clip([-5, 0.25, NaN, 7], -1, 1).toArray()).toEqual([-1, 0.25, NaN, 1]);
    const int = tensor([-5, 0, 9], { dtype: "int32" });
    expect(clip(int, -2, 3).dtype).toBe("int32");
    expect(clip(int, -2, 3).toArray()).toEqual([-2, 0, 3]);
    expect(clip(int, -Infinity, 1e12).toArray()).toEqual([-5, 0, 9]);
    expect(clip(int, 0.5, 8.5).toArray()).toEqual([0.5, 0.5, 8.5]);
    expect(clip(tensor([true, false]), 2, 3).toArray()).toEqual([2, 2]);
    expect(() => clip(int, 3, 2)).toThrow(/E_VALUE.*3 and 2/s);
    expect(() => clip(int, NaN, 2)).toThrow(/E_VALUE/);
  });

  test("isNaN, isFinite and logicalNot", () => {
    const x = tensor([NaN, Infinity, 0, -2]);
    expect(x.isNaN().toArray()).toEqual([true, false, false, false]);
    expect(x.isFinite().toArray()).toEqual([false, false, true, true]);
    expect(x.logicalNot().toArray()).toEqual([false, false, true, false]);
  });

  test("functions and methods are the same", () => {
    const x = tensor([0.5, 2]);
    for (const name of ["exp", "add", "sum", "reshape", "softmax", "concatWith"]) {
      expect((x as unknown as Record<string, unknown>)[name], name).toBeTypeOf("function");
    }
    expect(x.mul(3).toArray()).toEqual(gradstand.mul(x, 3).toArray());
  });
});
