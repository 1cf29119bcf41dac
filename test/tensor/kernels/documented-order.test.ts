import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generator } from "../../../src/random/index.js";
import { kernelSets, type BinaryOp, type UnaryOp } from "../../../src/tensor/index.js";
import * as math from "../../../src/tensor/math/index.js";

/**
 * The bits of the float32 kernels, by their documented definitions written out a second time. A faster set must give the same
 * bits, so the order of every sum and the function behind every operation is part of the promise.
 */
const f = Math.fround;
const numbers = (name: string, count: number, scale = 1): Float32Array =>
  Float32Array.from(generator("kernels").stream(name).normals(count, 0, scale));

/** Sixteen interleaved partial sums of at most 4096 terms, added by halves; longer lists by halves of whole blocks. */
function documentedSum(x: ArrayLike<number>, from = 0, to = x.length): number {
  if (to - from > 4096) {
    const blocks = Math.ceil((to - from) / 4096);
    const middle = from + Math.ceil(blocks / 2) * 4096;
    return f(documentedSum(x, from, middle) + documentedSum(x, middle, to));
  }
  let sums = new Array<number>(16).fill(0);
  for (let i = from; i < to; i++) sums[(i - from) % 16] = f(sums[(i - from) % 16]! + x[i]!);
  while (sums.length > 1) {
    const half = sums.length / 2;
    sums = sums.slice(0, half).map((value, lane) => f(value + sums[lane + half]!));
  }
  return sums[0]!;
}

/** One running sum over k in blocks of 256 terms, products and sums rounded one by one; blocks are added in order. */
function documentedProduct(k: number, a: (p: number) => number, b: (p: number) => number): number {
  let total = 0;
  for (let from = 0; from < k; from += 256) {
    let sum = 0;
    for (let p = from; p < Math.min(k, from + 256); p++) sum = f(sum + f(a(p) * b(p)));
    total = f(total + sum);
  }
  return total;
}

/** What stands behind each operation on one float32 number: this package's functions, or one exactly rounded operation. */
const unaryDefinitions: Record<UnaryOp, (x: number) => number> = {
  neg: (x) => -x,
  abs: Math.abs,
  sign: (x) => Math.sign(x) + 0,
  sqrt: Math.sqrt,
  square: (x) => x * x,
  reciprocal: (x) => 1 / x,
  relu: (x) => (x < 0 ? 0 : x),
  exp: math.exp32,
  log: math.log32,
  log1p: math.log1p32,
  expm1: math.expm132,
  sin: math.sin32,
  cos: math.cos32,
  tanh: math.tanh32,
  sigmoid: math.sigmoid32,
  softplus: math.softplus32,
  erf: math.erf32,
  gelu: math.gelu32,
  geluTanh: math.geluTanh32,
  geluSlope: math.geluSlope32,
  geluTanhSlope: math.geluTanhSlope32,
};

const binaryDefinitions: Record<BinaryOp, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  maximum: Math.max,
  minimum: Math.min,
  scale: (a, b) => (a === 0 ? 0 : a * b),
  pow: math.pow32,
};

const wide = [
  ...numbers("wide", 400, 8),
  ...numbers("tiny", 50, 1e-3),
  0,
  -0,
  1,
  -1,
  Infinity,
  -Infinity,
  NaN,
  1e-42,
  3e38,
];

describe.each([...kernelSets.values()])("$name kernels", (kernels) => {
  describe("sums", () => {
    test.each([0, 1, 2, 15, 16, 17, 100, 4095, 4096, 4097, 8193, 20_001])("of %d numbers", (length) => {
      const x = numbers("sum", length);
      const out = new Float32Array(1);
      kernels.reduce("sum", { outer: 1, length, inner: 1 }, x, out);
      expect(out[0]).toBe(documentedSum(x));
    });

    test("of columns give the bits of the same numbers in a row", () => {
      const [length, inner] = [4100, 3];
      const x = numbers("columns", length * inner);
      const out = new Float32Array(inner);
      kernels.reduce("sum", { outer: 1, length, inner }, x, out);
      for (let j = 0; j < inner; j++)
        expect(out[j]).toBe(documentedSum(x.filter((_, at) => at % inner === j)));
    });
  });

  test("products in every storage order", () => {
    const sizes = fc.record({
      m: fc.integer({ min: 0, max: 9 }),
      n: fc.integer({ min: 0, max: 5 }),
      k: fc.constantFrom(0, 1, 3, 255, 256, 257, 513),
      transposeA: fc.boolean(),
      transposeB: fc.boolean(),
    });
    fc.assert(
      fc.property(sizes, ({ m, n, k, transposeA, transposeB }) => {
        const a = numbers("a", m * k);
        const b = numbers("b", k * n);
        const out = new Float32Array(m * n);
        const offsets = Int32Array.of(0);
        kernels.product({ m, k, n, transposeA, transposeB, offsetsA: offsets, offsetsB: offsets }, a, b, out);
        for (let i = 0; i < m; i++) {
          for (let j = 0; j < n; j++) {
            const left = (p: number): number => a[transposeA ? p * m + i : i * k + p]!;
            const right = (p: number): number => b[transposeB ? j * k + p : p * n + j]!;
            expect(out[i * n + j]).toBe(documentedProduct(k, left, right));
          }
        }
      }),
    );
  });

  describe("rows", () => {
    const length = 4099;
    const x = numbers("rows", 2 * length, 3);
    const rows = [x.slice(0, length), x.slice(length)];
    const largest = (row: Float32Array): number => row.reduce((a, b) => Math.max(a, b), -Infinity);
    const exps = rows.map((row) => {
      const most = largest(row);
      return row.map((value) => math.exp32(f(value - most)));
    });
    const run = (kernel: (out: Float32Array) => void, size = x.length): Float32Array => {
      const out = new Float32Array(size);
      kernel(out);
      return out;
    };

    test("softmax: exp32 of what the largest leaves, over the documented sum", () => {
      const expected = exps.flatMap((row) => {
        const total = documentedSum(row);
        return [...row].map((value) => f(value / total));
      });
      expect(run((out) => kernels.softmax(length, x, out))).toEqual(Float32Array.from(expected));
    });

    test("logSoftmax and logSumExp: log32 of that sum", () => {
      const logs = exps.map((row) => math.log32(documentedSum(row)));
      const expected = rows.flatMap((row, r) => {
        const most = largest(row);
        return [...row].map((value) => f(f(value - most) - logs[r]!));
      });
      expect(run((out) => kernels.logSoftmax(length, x, out))).toEqual(Float32Array.from(expected));
      const ends = rows.map((row, r) => f(largest(row) + logs[r]!));
      expect(run((out) => kernels.logSumExp(length, x, out), 2)).toEqual(Float32Array.from(ends));
    });

    test("normalizeRows: relative to the first entry, the mean twice, the population variance", () => {
      const scales: number[] = [];
      const expected = rows.flatMap((row) => {
        let centred = row.map((value) => value - row[0]!);
        for (let pass = 0; pass < 2; pass++) {
          const mean = f(documentedSum(centred) / length);
          centred = centred.map((value) => value - mean);
        }
        const variance = f(documentedSum(centred.map((value) => value * value)) / length);
        scales.push(f(1 / f(Math.sqrt(f(variance + f(1e-5))))));
        return [...centred].map((value) => f(value * scales[scales.length - 1]!));
      });
      const scale = new Float32Array(2);
      expect(run((out) => kernels.normalizeRows(length, 1e-5, x, out, scale))).toEqual(
        Float32Array.from(expected),
      );
      expect([...scale]).toEqual(scales);
    });

    test("norm: squares relative to the power of two at the largest magnitude", () => {
      const expected = rows.map((row) => {
        const unit = 2 ** Math.floor(Math.log2(row.reduce((a, b) => Math.max(a, Math.abs(b)), 0)));
        return f(f(Math.sqrt(documentedSum(row.map((value) => (value / unit) ** 2)))) * unit);
      });
      expect(run((out) => kernels.norm(length, x, out), 2)).toEqual(Float32Array.from(expected));
    });

    test("scans run in order, in float64", () => {
      let total = 0;
      const expected = rows[0]!.map((value) => f((total += value)));
      const along = { outer: 1, length, inner: 1 };
      expect(run((out) => kernels.scan("sum", along, rows[0]!, out), length)).toEqual(expected);
    });
  });

  test("adam: every operation rounded once", () => {
    const step = {
      beta1: 0.9,
      beta2: 0.999,
      eps: 1e-8,
      size: 0.01,
      rootScale: 3.2,
      decay: 0.99,
      penalty: 0.1,
    };
    const [p, g, m] = [numbers("p", 50), numbers("g", 50), numbers("m", 50)];
    const v = numbers("v", 50).map((value) => value * value);
    const before = { p: p.slice(), m: m.slice(), v: v.slice() };
    kernels.adam(step, p, g, m, v);
    for (let i = 0; i < 50; i++) {
      const slope = f(g[i]! + f(f(0.1) * before.p[i]!));
      const first = f(before.m[i]! + f(f(1 - 0.9) * f(slope - before.m[i]!)));
      const second = f(f(f(0.999) * before.v[i]!) + f(f(1 - 0.999) * f(slope * slope)));
      const root = f(f(f(Math.sqrt(second)) * f(3.2)) + f(1e-8));
      expect([m[i], v[i]]).toEqual([first, second]);
      expect(p[i]).toBe(f(f(before.p[i]! * f(0.99)) - f(f(f(0.01) * first) / root)));
    }
  });

  test.each(Object.entries(unaryDefinitions))("%s of one number", (op, definition) => {
    const x = Float32Array.from(wide);
    const out = new Float32Array(x.length);
    kernels.unary(op as UnaryOp, x, out);
    expect(out).toEqual(x.map(definition));
  });

  test.each(Object.entries(binaryDefinitions))("%s of two numbers", (op, definition) => {
    const a = Float32Array.from(wide);
    const b = Float32Array.from([...wide.slice(7), ...wide.slice(0, 7)]);
    const out = new Float32Array(a.length);
    kernels.binary(op as BinaryOp, { dims: [a.length], strides: [[1], [1]] }, a, b, out);
    expect(out).toEqual(a.map((value, i) => definition(value, b[i]!)));
  });
});

test("float32 takes no function whose bits depend on the engine", () => {
  const folder = new URL("../../../src/tensor/kernels/reference/", import.meta.url);
  const exact = ["fround", "abs", "min", "max", "sign", "sqrt", "ceil", "imul"];
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(new URL(file, folder), "utf8")
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .split("\n");
    for (const line of lines) {
      const used = [...line.matchAll(/Math\.(\w+)/g)]
        .map((match) => match[1]!)
        .filter((name) => !exact.includes(name));
      if (used.length > 0) expect(`${file}: ${line}`).toMatch(/\belse\b|: (max|x\[)|single \?|\? \w+32 :/);
    }
  }
});
