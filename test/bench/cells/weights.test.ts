import fc from "fast-check";
import { expect, test } from "vitest";
import { tensor } from "../../../src/autograd/index.js";
import { decodeWeights, encodeWeights } from "../../../src/bench/cells/weights.js";

test("every float32 comes back to the bit, with its shape", () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 6, maxLength: 6 }), (numbers) => {
      const { w } = decodeWeights(encodeWeights({ w: tensor(numbers, { shape: [2, 3] }) }));
      expect(w.shape).toEqual([2, 3]);
      expect(w.values()).toStrictEqual(numbers);
    }),
  );
});

test("the bytes are little-endian float32", () => {
  expect(encodeWeights({ b: tensor([1, -2]) })).toEqual({ b: { shape: [2], data: "AACAPwAAAMA=" } });
});

test("empty tensors and scalars keep their shapes", () => {
  const { s, e } = decodeWeights(
    encodeWeights({ s: tensor(3), e: tensor(new Float32Array(0), { shape: [0, 4] }) }),
  );
  expect([s.shape, s.item(), e.shape]).toEqual([[], 3, [0, 4]]);
});

test("parameters of another type are refused", () => {
  expect(() => encodeWeights({ w: tensor(new Float64Array(1)) })).toThrow(/E_DTYPE.*'w' is float64/);
});
