import * as core from "../../src/index.js";
import { formatGiven } from "../../src/errors/index.js";
import { generator } from "../../src/random/index.js";
import type { Draw } from "./draw.js";
import type { FuzzSubjects } from "./subject.js";

const create = (d: Draw): unknown => d.options({ dtype: d.dtype(), requiresGrad: d.chance(0.3) });
const shape = (d: Draw): unknown =>
  d.maybe(d.chance(0.05) ? d.pick([[1e9], [1e5, 1e5], [0, 1e300], [2 ** 31]]) : d.shape(), 0.15);
const rng = (d: Draw): unknown => d.maybe(generator("fuzz"), 0.08);
const f = (d: Draw): unknown =>
  d.maybe(
    d.pick<unknown>([
      (x: unknown) => (x instanceof core.Tensor ? x.square().sum() : x),
      (x: unknown) => (x instanceof core.Tensor ? x.mul(2) : x),
      () => 1,
      (x: unknown) => x,
      () => undefined,
    ]),
    0.1,
  );
const some = (d: Draw): core.Tensor =>
  d.tensor(d.shape(0, 2), { dtypes: ["float32", "float64"], plain: true });
const list = (d: Draw, t = some(d)): unknown => d.maybe([d.maybe(t), d.maybe(t)].slice(0, d.int(0, 2)), 0.1);
const walkOptions = (d: Draw): unknown => d.options({ retainGraph: true, createGraph: d.chance(0.5) });
const call = (value: unknown, ...args: unknown[]): unknown =>
  (value as (...list: unknown[]) => unknown)(...args);

/** What makes tensors, differentiates functions, and everything else that the package exports beside operations. */
export const creation: FuzzSubjects = {
  tensor: { args: (d) => [d.maybe(d.pick<unknown>([1, true, [1, 2], [[1], [2]], [[]], Float32Array.of(1, 2), Uint8Array.of(0, 9)]), 0.3), d.options({ dtype: d.dtype(), shape: d.shape(), requiresGrad: d.chance(0.3) }, 0.7)] },
  zeros: { args: (d) => [shape(d), create(d)] },
  ones: { args: (d) => [shape(d), create(d)] },
  full: { args: (d) => [shape(d), d.maybe(d.number(), 0.2), create(d)] },
  arange: { args: (d) => [d.maybe(d.int(-9, 9), 0.2), d.maybe(d.int(-9, 9), 0.2), d.maybe(d.pick([1, -1, 0.5]), 0.2), create(d)] },
  linspace: { args: (d) => [d.maybe(d.number(), 0.1), d.maybe(d.number(), 0.1), d.maybe(d.int(0, 9), 0.2), create(d)] },
  eye: { args: (d) => [d.maybe(d.int(0, 5), 0.2), d.maybe(d.int(0, 5), 0.2), create(d)] },
  randomUniform: { args: (d) => [rng(d), shape(d), d.options({ low: -1, high: d.number(), dtype: d.pick(["float32", "float64"]) })] },
  randomNormal: { args: (d) => [rng(d), shape(d), d.options({ mean: 0, std: d.number(), dtype: "float64" })] },
  randomIntegers: { args: (d) => [rng(d), shape(d), d.maybe(d.int(-5, 0), 0.1), d.maybe(d.int(1, 5), 0.1)] },
  randomPermutation: { args: (d) => [rng(d), d.maybe(d.int(0, 20), 0.3)] },
  generator: { args: (d) => [d.maybe(d.pick<unknown>([0, 7n, "seed"]), 0.5)] },
  Generator: { args: (d) => [d.hostile()], run: ([x]) => call((identity: never) => new core.Generator(identity), x) },
  useKernels: { args: (d) => [d.maybe(d.pick(["reference", "simd"]), 0.5)] },
  NDArray: { args: (d) => [d.maybe([2]), Float32Array.of(1, 2)], run: ([s, data]) => core.NDArray.of(s as number[], data as Float32Array) },
  GradstandError: { args: (d) => [d.maybe("E_VALUE"), d.maybe("text"), d.maybe(undefined)], run: (args) => call((...a: never[]) => new core.GradstandError(...(a as unknown as ["E_VALUE", string])).message, ...args.map((arg) => formatGiven(arg))) },
  Tensor: {
    args: (d) => [d.tensor(), d.pick(["item", "toArray", "values", "detach", "toString", "assign", "grad"]), d.hostile()],
    run: ([t, name, x]) => {
      if (name === "grad") return call(() => ((t as core.Tensor).grad = x as core.Tensor));
      return call((t as never as Record<string, (v: unknown) => unknown>)[name as string]!.bind(t), x);
    },
  },
  backward: { args: (d) => [d.maybe(some(d).mul(2)), d.maybe(d.pick<unknown>([undefined, 1, [1, 1]]), 0.3), walkOptions(d)] },
  gradients: {
    args: (d) => {
      const t = new core.Tensor(some(d).array, true);
      const y = t.square();
      return [d.maybe(y, 0.1), d.maybe([d.maybe(t)], 0.1), d.options({ cotangents: [d.maybe(y.detach())], createGraph: d.chance(0.3) }, 0.2)];
    },
  },
  grad: { args: (d) => [f(d), d.options({ argument: d.int(0, 1) }), d.maybe(some(d)), d.maybe(some(d))], run: ([g, o, ...rest]) => call(call(core.grad, g, o), ...rest) },
  valueAndGrad: { args: (d) => [f(d), d.options({ argument: d.int(0, 1) }), d.maybe(some(d)), d.maybe([some(d)])], run: ([g, o, ...rest]) => call(call(core.valueAndGrad, g, o), ...rest) },
  vjp: { args: (d) => [f(d), d.maybe(some(d)), d.maybe(some(d))], run: ([g, a, ...rest]) => (call(core.vjp, g, a) as { pullback: (c: unknown) => unknown }).pullback(rest[0]) },
  jvp: { args: (d) => { const t = some(d); return [f(d), list(d, t), list(d, t)]; } },
  hvp: { args: (d) => { const t = some(d); return [f(d), list(d, t), list(d, t)]; } },
  gradcheck: { args: (d) => [f(d), list(d), d.options({ throws: false, tolerance: d.number(), step: d.number() })] },
  mapTree: { args: (d) => [d.maybe([some(d), { a: some(d) }], 0.3), d.maybe((t: core.Tensor) => t, 0.1)] },
  scope: { args: (d) => { const given = d.hostile(); const t = some(d); return [d.maybe(() => d.pick([given, t.add(1), [t.mul(2)]]), 0.2)]; } },
  keep: { args: (d) => [d.maybe(some(d), 0.4)] },
  noGrad: { args: (d) => { const t = some(d); return [d.maybe(() => t.add(1), 0.2)]; } },
  isRecording: { args: () => [] },
  defineOp: { args: (d) => [d.maybe({ name: "mine", forward: ([x]: core.NDArray[]) => d.maybe(x), vjp: () => d.maybe([]) }, 0.2), d.maybe([d.maybe(some(d))])], run: ([op, inputs]) => call(call(core.defineOp, op), inputs, undefined) },
}; // prettier-ignore
