import { expect } from "vitest";
import { scope, tensor, type Tensor } from "../../src/autograd/index.js";
import { generator } from "../../src/random/index.js";
import { kernelSets, useKernels, type FloatDType } from "../../src/tensor/index.js";

/** Where a subject is tested. */
export interface Place {
  readonly kernels: string;
  readonly dtype: FloatDType;
  /** How often a row of data is repeated: kernels and scopes treat a few elements unlike many. */
  readonly copies: number;
  readonly scoped: boolean;
}

/** All that could have the fault of a case: what they have in common, and a test of each. */
export interface Kind {
  readonly kind: string;
  readonly subjects: Readonly<Record<string, (at: Place) => void>>;
  /** Default {@link everywhere}. */
  readonly places?: readonly Place[];
}

const sets = [...kernelSets.keys()];

/** Both kernel sets, both floating types, few and many elements, on the heap and in a scope. */
export const everywhere: readonly Place[] = sets.flatMap((kernels) =>
  (["float64", "float32"] as const).flatMap((dtype) =>
    [1, 40].flatMap((copies) => [false, true].map((scoped) => ({ kernels, dtype, copies, scoped }))),
  ),
);

/** One place for each kernel set, for subjects that take long or have one size. */
export const oncePerKernels: readonly Place[] = sets.map((kernels) => ({
  kernels,
  dtype: "float32",
  copies: 1,
  scoped: false,
}));

/** One place, for what computes in no kernel. */
export const once: readonly Place[] = [{ kernels: sets.at(-1)!, dtype: "float32", copies: 1, scoped: false }];

/** Runs a test with the kernels of a place, in a scope if it is scoped. */
export function runAt(at: Place, test: (at: Place) => void): void {
  useKernels(at.kernels);
  try {
    if (at.scoped) scope(() => void test(at));
    else test(at);
  } catch (error) {
    const { kernels, dtype, copies, scoped } = at;
    const place = `${kernels} kernels, ${dtype}, ${copies} copies, ${scoped ? "in a scope" : "on the heap"}`;
    if (error instanceof Error) error.message = `${place}: ${error.message}`;
    throw error;
  } finally {
    useKernels(sets.at(-1)!);
  }
}

/** The row repeated as often as the place says, `[copies, length]`, asking for a gradient. */
export function rows(at: Place, row: readonly number[]): Tensor {
  return tensor(
    Array.from({ length: at.copies }, () => row),
    { dtype: at.dtype, requiresGrad: true },
  );
}

/** What float32 rounds to, and what float64 does, with room for a few operations. */
export const closeness = (at: Place): number => (at.dtype === "float32" ? 3e-6 : 1e-12);

/** Every row of `[copies, length]` is this one, relative to its entries of 1 and more; NaN and infinities exactly. */
export function expectRows(
  found: Tensor | undefined,
  row: readonly number[],
  at: Place,
  tolerance = closeness(at),
): void {
  expect(found?.shape).toEqual([at.copies, row.length]);
  found!.values().forEach((value, i) => expectNumber(value, row[i % row.length]!, tolerance, `entry ${i}`));
}

/** A number within the tolerance, relative from 1 on; NaN and infinities exactly. */
export function expectNumber(found: number, wanted: number, tolerance: number, what = "it"): void {
  const right = Number.isFinite(wanted)
    ? Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted))
    : Object.is(found, wanted);
  if (!right) expect.fail(`${what} is ${found}, not ${wanted} within ${tolerance}`);
}

/** The gradient of Σf(x) for repeated rows. */
export function rowGradient(at: Place, f: (x: Tensor) => Tensor, row: readonly number[]): Tensor {
  const x = rows(at, row);
  f(x).sum().backward();
  return x.grad!;
}

/** Value and gradient of Σf(x) for repeated rows; f keeps the rows apart. */
export function expectRowGradient(
  at: Place,
  f: (x: Tensor) => Tensor,
  row: readonly number[],
  wanted: readonly number[],
  tolerance = closeness(at),
): void {
  expectRows(rowGradient(at, f, row), wanted, at, tolerance);
}

/** Numbers of both signs, all different and of no order, the same for the same name. */
export function numbers(name: string, shape: readonly number[], dtype: FloatDType = "float64"): Tensor {
  const size = shape.reduce((a, b) => a * b, 1);
  return tensor(generator(name).normals(size), { shape: [...shape], dtype });
}

/** {@link numbers} that ask for a gradient. */
export function leafOf(name: string, shape: readonly number[], dtype: FloatDType = "float64"): Tensor {
  return tensor(numbers(name, shape).values(), { shape: [...shape], dtype, requiresGrad: true });
}

/** Two tensors of one shape whose entries are within the tolerance of each other, relative from 1 on. */
export function expectSame(found: Tensor | undefined, wanted: Tensor | undefined, tolerance: number): void {
  expect(found, "no tensor").toBeDefined();
  expect(found!.shape).toEqual(wanted!.shape);
  const expected = wanted!.values();
  found!.values().forEach((value, i) => expectNumber(value, expected[i]!, tolerance, `entry ${i}`));
}

/** The same bits, NaN included. */
export function expectSameBits(found: Tensor, wanted: Tensor): void {
  expect(found.shape).toEqual(wanted.shape);
  expect(found.dtype).toBe(wanted.dtype);
  const [a, b] = [found.values(), wanted.values()];
  expect(a.every((value, i) => Object.is(value, b[i]))).toBe(true);
}
