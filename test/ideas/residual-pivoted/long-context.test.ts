import { describe, expect, test } from "vitest";
import { tensor, vjp, where, type Tensor } from "../../../src/autograd/index.js";
import {
  residualPivotedAttention,
  type AttentionOptions,
} from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";
import { depth } from "../../runs.js";
import { largest } from "./causal/problem.js";

const n = 2048;
const width = 8;
const [heads, directions] = depth > 1 ? [2, 4] : [1, 1];

function normals(name: string, std = 1): Tensor {
  return tensor(
    generator("long")
      .stream(name)
      .normals(heads * n * width, 0, std),
    {
      shape: [heads, n, width],
      dtype: "float32",
    },
  );
}

const double = (xs: readonly Tensor[]): Tensor[] => xs.map((x) => x.cast("float64"));

/**
 * Where a normaliser is not replaced by its floor, as bool `[heads, n, 1]`: the weights of a row add up to 1 there, so that an
 * output rises by 1 with all values. A floored one is below its bound by √u and more, 2⁻¹² or 2⁻²⁶, of what the prefix weighs.
 */
function free(layer: (...xs: Tensor[]) => Tensor, [q, k, v]: readonly Tensor[], value: Tensor): Tensor {
  const rise = layer(q!, k!, v!.add(1)).sub(value).cast("float64");
  return rise.min(-1, { keepDims: true }).greater(1 - (value.dtype === "float32" ? 2 ** -17 : 2 ** -40));
}

interface Moved {
  readonly moved: readonly Tensor[];
  readonly value: Tensor;
}

const countOf = (bools: Tensor): number => bools.cast("float64").sum().item();

const forms: readonly (readonly [string, readonly number[], AttentionOptions])[] = [
  ["plain", depth > 1 ? [4, 16, 64] : [16], {}],
  ["causal", depth > 1 ? [4, 16, 64] : [4], { causal: true }],
];
const cases = forms.flatMap(([form, ranks, options]) => ranks.map((rank) => [form, rank, options] as const));

describe.each(cases)(`gradients of ${n} tokens, %s, rank %i`, (_, rank, form) => {
  const at = [normals("q"), normals("k"), normals("v")];
  const rng = generator("long").stream("pivots");
  const { statistics } = residualPivotedAttention(at[0]!, at[1]!, at[2]!, { ...form, rank, rng });
  const held = statistics.pivots;
  const layer = (...xs: Tensor[]): Tensor =>
    residualPivotedAttention(xs[0]!, xs[1]!, xs[2]!, { ...form, rank, held }).output;
  const wide = double(at);
  const exactly = vjp(layer, ...wide);
  const open = free(layer, wide, exactly.value);

  test("agree in float32 with float64", () => {
    const run = vjp(layer, ...at);
    const openHere = free(layer, at, run.value);
    const same = open.equal(openHere);
    // A normaliser that is floored in one precision alone is another function of its row; few are that near to their bound.
    expect(countOf(same)).toBeGreaterThan(heads * n * 0.995);
    const cotangent = where(same, normals("cotangent"), 0).cast("float32");
    const wanted = exactly.pullback(cotangent.cast("float64"));
    run.pullback(cotangent).forEach((gradient, i) => {
      const error = largest(gradient.cast("float64").sub(wanted[i]!).values());
      expect(error).toBeLessThanOrEqual(2e-5 * largest(wanted[i]!.values()));
    });
  });

  test("agree in float64 with differences", () => {
    expect(statistics.clamped).toBe(0);
    const h = 2 ** -13;
    for (let d = 0; d < directions; d++) {
      const tangents = double([normals(`q${d}`), normals(`k${d}`), normals(`v${d}`)]);
      const movedBy = (steps: number): Moved => {
        const moved = wide.map((x, i) => x.add(tangents[i]!.mul(steps * h)));
        return { moved, value: layer(...moved) };
      };
      const [farBehind, behind, ahead, farAhead] = [movedBy(-2), movedBy(-1), movedBy(1), movedBy(2)];
      // The derivative holds a floor constant, which differences do not: rows that meet none on the way.
      const off = [farBehind, farAhead].map(({ moved, value }) => free(layer, moved, value));
      const clear = off.reduce((all, each) => all.cast("float64").mul(each.cast("float64")).equal(1), open);
      expect(countOf(clear)).toBeGreaterThan(heads * n * 0.01);
      const cotangent = where(clear, normals("cotangent").cast("float64"), 0);
      const products = exactly.pullback(cotangent).map((gradient, i) => gradient.mul(tangents[i]!));
      const along = products.reduce((sum, each) => sum + each.sum().item(), 0);
      const scale = products.reduce((sum, each) => sum + each.abs().sum().item(), 0);
      const near = ahead.value.sub(behind.value).mul(8);
      const slopes = near.sub(farAhead.value.sub(farBehind.value)).div(12 * h);
      const slope = slopes.mul(cotangent).sum().item();
      expect(Math.abs(slope - along)).toBeLessThanOrEqual(1e-9 * scale);
    }
  });
});
