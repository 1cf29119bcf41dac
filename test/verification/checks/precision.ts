import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import type { LawResult } from "../../../src/testing/index.js";
import { float32Grid, neighbours, ulpError } from "../../tensor/math/float32-grid.js";
import type { Function } from "../sample.js";

const u = 2 ** -24;

/** How the error of a float32 value against the float64 one is measured. */
export interface Precision {
  /** Units of the last place; or u·(1 + |value|), for what is composed of several roundings. */
  readonly unit: "ulp" | "composed";
  readonly limit: number;
  /** Points where forms change, results saturate or cancellation threatens. */
  readonly edges?: readonly number[];
  /** Arguments outside are left out, where the function is periodic beyond any use. */
  readonly most?: number;
}

const special = [
  0,
  -0,
  1,
  -1,
  2,
  -2,
  0.5,
  -0.5,
  3,
  10,
  2 ** -149,
  -(2 ** -149),
  2 ** -126,
  2 ** -24,
  3.4028234663852886e38,
  -3e38,
  Infinity,
  -Infinity,
  NaN,
];

/** Every so many bit patterns: 2¹⁷ numbers of both signs and all exponents. */
const stride = 32_749;

const errorOf = (found: number, exact: number, { unit }: Precision): number => {
  if (unit === "ulp" || !Number.isFinite(Math.fround(exact)) || exact === 0) return ulpError(found, exact);
  return Math.abs(found - exact) / (u * (1 + Math.abs(exact)));
};

function compare(f: Function, inputs: readonly Tensor[], precision: Precision): LawResult {
  const comparison = new Comparison("Precision");
  const part = precision.unit === "ulp" ? "units of the last place" : "u·(1 + |value|)";
  const found = f(...inputs);
  const exact = f(...inputs.map((x) => x.cast("float64")));
  if (!comparison.sameKind(part, precision.limit, "value", found, exact.cast("float32")))
    return comparison.result();
  const single = found.values();
  exact.values().forEach((wanted, i) =>
    comparison.error(part, precision.limit, errorOf(single[i]!, wanted, precision), () => ({
      where: `at ${inputs.map((x) => x.values()[i]).join(", ")}`,
      expected: wanted,
      found: single[i]!,
      sources: { expected: "float64", found: "float32" },
    })),
  );
  return comparison.result();
}

/** A function of one number over the whole range of float32, special values and the neighbours of its edges. */
export function checkUnaryPrecision(f: Function, precision: Precision): LawResult {
  const most = precision.most ?? Infinity;
  const points = [...special, ...float32Grid(stride), ...neighbours(precision.edges ?? [], 300)].filter(
    (x) => !(Math.abs(x) > most) || !Number.isFinite(x),
  );
  return compare(f, [tensor(Float32Array.from(points))], precision);
}

/** A function of two numbers on pairs from the whole range, and on all pairs of special values. */
export function checkBinaryPrecision(f: Function, precision: Precision): LawResult {
  const left: number[] = [];
  const right: number[] = [];
  for (const a of special) {
    for (const b of special) {
      left.push(a);
      right.push(b);
    }
  }
  const all = [...float32Grid(stride)];
  all.forEach((a, i) => {
    left.push(a, 1 + (i % 97) / 31);
    right.push(all[(i * 7919 + 13) % all.length]!, ((i * 31) % 4001) / 100 - 20);
  });
  return compare(f, [tensor(Float32Array.from(left)), tensor(Float32Array.from(right))], precision);
}
