import { expect } from "vitest";
import type { Tensor } from "../../../src/autograd/index.js";

/** The same shape, type and bits; any NaN is any NaN, −0 is not 0. */
export function expectEqualBits(found: Tensor, wanted: Tensor): void {
  expect(found.shape).toEqual(wanted.shape);
  expect(found.dtype).toBe(wanted.dtype);
  expect(found.values()).toEqual(wanted.values());
}
