import { describe, expect, test } from "vitest";
import {
  einsum,
  gather,
  jvp,
  matmul,
  randomIntegers,
  randomNormal,
  vjp,
  type Tensor,
} from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";
import { inner } from "../../../src/testing/index.js";

const rng = generator("real sizes");
const draw = (...shape: number[]): Tensor => randomNormal(rng, shape, { dtype: "float64" });
const words = randomIntegers(rng, [32, 20], 0, 100);
const turned = { transposeA: true, transposeB: true };

/** Functions at the sizes that models use. */
const uses: readonly [name: string, f: (...xs: Tensor[]) => Tensor, inputs: readonly Tensor[]][] = [
  ["matmul", (a, b) => matmul(a!, b!), [draw(8, 64, 96), draw(96, 48)]],
  ["matmul of transposes", (a, b) => matmul(a!, b!, turned), [draw(70, 300), draw(50, 70)]],
  ["einsum", (a, b) => einsum("bqhd,bkhd->bhqk", a!, b!), [draw(4, 20, 3, 8), draw(4, 25, 3, 8)]],
  ["softmax", (x) => x!.softmax(), [draw(40, 130)]],
  ["logsumexp", (x) => x!.logsumexp(0), [draw(5000, 3)]],
  ["normalize", (x) => x!.normalize(), [draw(60, 64)]],
  ["variance", (x) => x!.variance([0, 2]), [draw(30, 4, 70)]],
  ["sum", (x) => x!.sum(0), [draw(9000, 3)]],
  ["cumsum", (x) => x!.cumsum(1), [draw(3, 2000)]],
  ["prod", (x) => x!.mul(0.1).add(1).prod(1), [draw(20, 50)]],
  ["gather", (x) => gather(x!, words), [draw(100, 16)]],
  ["gelu", (x) => x!.gelu(), [draw(5000)]],
  ["broadcasting", (a, b) => a!.mul(b!).add(a!).tanh(), [draw(64, 1, 32), draw(16, 32)]],
];

describe.each(uses)("%s at real sizes: ⟨J·v, w⟩ = ⟨v, Jᵀ·w⟩", (_, f, inputs) => {
  test.each([
    ["float64", 1e-12],
    ["float32", 1e-5],
  ] as const)("in %s", (dtype, tolerance) => {
    const xs = inputs.map((x) => x.cast(dtype));
    const vs = xs.map((x) => draw(...x.shape).cast(dtype));
    const { value, tangent } = jvp(f, xs, vs);
    const w = draw(...value.shape).cast(dtype);
    const pulled = vjp(f, ...xs).pullback(w);
    const left = inner(tangent, w);
    const right = vs.reduce((sum, v, i) => sum + inner(v, pulled[i]!), 0);
    const size = Math.sqrt(inner(tangent, tangent) * inner(w, w));
    expect(size).toBeGreaterThan(0);
    expect(Math.abs(left - right) / size).toBeLessThanOrEqual(tolerance);
  });
});
