import fc from "fast-check";
import { expect, test } from "vitest";
import {
  gradients,
  logSoftmax,
  normalize,
  softmax,
  tensor,
  type Tensor,
} from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";

/** The gradient of f at x by the fused rule, and by the rule that can be differentiated again. */
function both(f: (x: Tensor) => Tensor, rows: number, length: number): { fused: Tensor; composed: Tensor } {
  const shape = [rows, length];
  const draw = (name: string): Tensor =>
    tensor(
      Float32Array.from(
        generator("fused")
          .stream(name)
          .normals(rows * length),
      ),
      { shape },
    );
  const x = tensor(draw("x").values(), { shape, requiresGrad: true });
  const run = (createGraph: boolean): Tensor =>
    gradients(f(x), [x], { cotangents: [draw("cotangent")], createGraph })[0]!;
  return { fused: run(false), composed: run(true) };
}

const sizes = [fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 70 })] as const;

test.each([
  ["softmax", softmax],
  ["logSoftmax", logSoftmax],
] as const)("the fused gradient of %s has the bits of the composed one", (_, f) => {
  fc.assert(
    fc.property(...sizes, (rows, length) => {
      const { fused, composed } = both((x) => f(x), rows, length);
      expect(fused.requiresGrad).toBe(false);
      expect(composed.requiresGrad).toBe(true);
      expect(fused.values()).toEqual(composed.values());
    }),
  );
});

test("the fused gradient of normalize is the composed one within rounding", () => {
  fc.assert(
    fc.property(...sizes, (rows, length) => {
      const { fused, composed } = both((x) => normalize(x, { eps: 0.1 }), rows, length);
      const error = Math.max(...fused.sub(composed).abs().values());
      expect(error).toBeLessThanOrEqual(2e-6 * Math.max(1, ...composed.abs().values()));
    }),
  );
});
