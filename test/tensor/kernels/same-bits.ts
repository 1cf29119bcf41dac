import fc from "fast-check";
import { expect } from "vitest";
import { scope } from "../../../src/autograd/index.js";
import { kernelSets, reserve, type Floats, type Kernels } from "../../../src/tensor/index.js";

/** Float32 values that kernels trip over: signed zeros, subnormals, the edges of the range, infinities, NaN. */
const special = [
  0,
  -0,
  1,
  -1,
  2 ** -149,
  -(2 ** -149),
  2 ** -126,
  3.4028234663852886e38,
  -3.4028234663852886e38,
  Infinity,
  -Infinity,
  NaN,
];

/** Lengths that meet every tail: nothing, one, odd ones, around vectors and blocks, more than a block of a sum. */
export const lengths = fc.oneof(
  fc.integer({ min: 0, max: 70 }),
  fc.constantFrom(127, 128, 129, 255, 256, 257, 1000, 4095, 4096, 4097, 9000),
);

/** Float32 arrays of `length`: ordinary numbers, numbers of all magnitudes, or special values among them. */
export function float32Array(length: number): fc.Arbitrary<Float32Array> {
  return fc
    .record({ seed: fc.integer(), kind: fc.constantFrom("ordinary", "wide", "special") })
    .map(({ seed, kind }) => {
      let state = seed | 0;
      const next = (): number => {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        return ((state >>> 8) & 0xffffff) / 0x1000000;
      };
      return Float32Array.from({ length }, () => {
        const value = 8 * next() - 4;
        if (kind === "ordinary") return value;
        if (kind === "wide") return value * 2 ** Math.floor(280 * next() - 150);
        return next() < 0.2 ? special[Math.floor(special.length * next())]! : value;
      });
    });
}

/** Fails unless both hold the same bits, any NaN equal to any NaN, −0 different from 0. */
export function expectSameBits(actual: Floats, expected: Floats, what: string): void {
  expect(actual.length, what).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(actual[i], expected[i])) {
      expect.fail(`${what}: element ${i} is ${actual[i]}, expected ${expected[i]}`);
    }
  }
}

/**
 * Runs one call with both sets of kernels, the fast one twice: on arrays of the heap, and on arrays in the memory of a
 * scope. `call` computes from `inputs` into outputs of the given lengths (which hold NaN before). It must write neither its
 * inputs nor, where outputs are parts of longer arrays, what lies before and behind them.
 */
export function expectSetsAgree(
  inputs: readonly Float32Array[],
  outputs: readonly number[],
  call: (kernels: Kernels, inputs: readonly Float32Array[], outputs: Float32Array[]) => void,
): void {
  const fast = kernelSets.get("simd")!;
  const run = (kernels: Kernels, place: (x: Float32Array) => Float32Array): Float32Array[] => {
    const given = inputs.map(place);
    const guarded = outputs.map((length) =>
      place(new Float32Array(length + 2 * guard).fill(NaN, guard, -guard)),
    );
    const results = guarded.map((x) => x.subarray(guard, x.length - guard));
    call(kernels, given, results);
    const untouched = new Float32Array(guard);
    guarded.forEach((x, i) => {
      expectSameBits(x.slice(0, guard), untouched, `${kernels.name}: before output ${i}`);
      expectSameBits(x.slice(-guard), untouched, `${kernels.name}: behind output ${i}`);
    });
    given.forEach((x, i) => expectSameBits(x, inputs[i]!, `${kernels.name}: input ${i} was written to`));
    return results.map((x) => x.slice());
  };
  const expected = run(kernelSets.get("reference")!, (x) => x.slice());
  const onHeap = run(fast, (x) => x.slice());
  const inScope = scope(() => run(fast, (x) => placed(x)));
  expected.forEach((x, i) => {
    expectSameBits(onHeap[i]!, x, `output ${i} on the heap`);
    expectSameBits(inScope[i]!, x, `output ${i} in a scope`);
  });
}

/** How many elements around an output are looked at: more than one step of any loop writes. */
const guard = 64;

function placed(x: Float32Array): Float32Array {
  const copy = reserve("float32", x.length) as Float32Array;
  copy.set(x);
  return copy;
}
