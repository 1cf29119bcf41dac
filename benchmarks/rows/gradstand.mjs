/** The rows of the benchmark in this framework: what each row is, see benchmarks/table.mjs. */
import { gelu, generator, matmul, noGrad, scope, softmax, tensor } from "../../dist/index.js";
import { builtInIdeas } from "../../dist/ideas/index.js";
import { gruStep, normal, transformerStep } from "../models.mjs";
import { simdLimitStep } from "../simd-limit.mjs";
import { serve } from "./serve.mjs";

/**
 * `f` of operands several times in one scope, with operands that were computed there: what a layer inside a training step
 * meets.
 */
function repeated(times, operands, f) {
  const step = () =>
    scope(() =>
      noGrad(() => {
        const inside = operands.map((x) => x.add(0));
        for (let i = 0; i < times; i++) f(...inside);
      }),
    );
  return Object.assign(step, { times });
}

const square = (n, times) => repeated(times, [normal(n, n), normal(n, n)], matmul);
const elementwise = (f) => repeated(20, [normal(1000, 1000)], f);

const momentIdea = () => builtInIdeas.get("moment-rank2").change({}, generator(0)).hidden;

export const rows = {
  "simd-limit": simdLimitStep,
  "matmul-64": () => square(64, 200),
  "matmul-256": () => square(256, 20),
  "matmul-512": () => square(512, 10),
  "gru-train": () => gruStep(),
  "gru-rank2-train": () => gruStep(momentIdea()),
  "transformer-train": () => transformerStep(64, 32, 64),
  "transformer-wide-train": () => transformerStep(128, 64, 128),
  exp: () => elementwise((x) => x.exp()),
  tanh: () => elementwise((x) => x.tanh()),
  gelu: () => elementwise((x) => gelu(x)),
  softmax: () => elementwise((x) => softmax(x, -1)),
  "recorded-add": () => {
    const [a, b] = [tensor([1, 2, 3, 4], { requiresGrad: true }), tensor([1, 2, 3, 4])];
    return () => a.add(b);
  },
  "backward-adds": () => {
    const [a, b] = [tensor([1, 2, 3, 4], { requiresGrad: true }), tensor([1, 2, 3, 4])];
    return () => {
      let y = a;
      for (let i = 0; i < 1000; i++) y = y.add(b);
      y.sum().backward();
      a.grad = undefined;
    };
  },
};

await serve(rows);
