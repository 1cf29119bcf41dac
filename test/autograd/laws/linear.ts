import { expect } from "vitest";
import { vjp, zerosLike, type Tensor } from "../../../src/autograd/index.js";
import { expectEqualBits } from "./bits.js";
import { cotangentLike, largest } from "./cotangent.js";
import type { Function } from "./differences.js";

/** A cotangent of zeros gives gradients of zeros exactly. */
export function expectZeroCotangent(f: Function, inputs: readonly Tensor[]): void {
  const { value, pullback } = vjp(f, ...inputs);
  pullback(zerosLike(value)).forEach((g, i) => {
    expect(g.shape).toEqual(inputs[i]!.shape);
    expect(
      g.values().every((element) => element === 0),
      `input ${i}: ${String(g)}`,
    ).toBe(true);
  });
}

/** The pullback is linear: four times the cotangent gives four times the gradient to the bit, and sums add. */
export function expectLinearPullback(f: Function, inputs: readonly Tensor[]): void {
  const { value, pullback } = vjp(f, ...inputs);
  const [a, b] = [cotangentLike(value, "a"), cotangentLike(value, "b")];
  const ofA = pullback(a);
  const ofB = pullback(b);
  pullback(a.mul(4)).forEach((g, i) => expectEqualBits(g, ofA[i]!.mul(4)));
  pullback(a.add(b)).forEach((g, i) => {
    const sum = ofA[i]!.add(ofB[i]!);
    const size = Math.max(1, largest(sum.values()));
    expect(largest(g.sub(sum).values()) / size).toBeLessThanOrEqual(1e-12);
  });
}
