/** The rows of the benchmark in jax-js: what each row is, see benchmarks/table.mjs. */
import { jit, nn, numpy as np, valueAndGrad, vjp } from "@jax-js/jax";
import { gelu, normal, recurrent, training, transformer } from "./jax_training.mjs";
import { serve } from "../rows/serve.mjs";

/** Results are lazy: a step ends when they are computed. */
async function compute(result) {
  await result.blockUntilReady();
  result.dispose();
}

function square(n) {
  const [a, b] = [normal(n, n), normal(n, n)];
  const product = jit(np.matmul);
  return () => compute(product(a.ref, b.ref));
}

function elementwise(f) {
  const x = normal(1000, 1000);
  return () => compute(f(x.ref));
}

const four = () => [np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4])];

await serve({
  "matmul-64": () => square(64),
  "matmul-256": () => square(256),
  "matmul-512": () => square(512),
  "gru-train": () => training(recurrent(), normal(32, 32, 3), normal(32, 2)),
  "gru-rank2-train": () => {
    throw new Error("its SVD has no derivative");
  },
  "transformer-train": () => training(transformer(64, 32, 64), normal(32, 64, 4), normal(32, 1)),
  "transformer-wide-train": () => training(transformer(128, 64, 128), normal(32, 128, 4), normal(32, 1)),
  exp: () => elementwise(np.exp),
  tanh: () => elementwise(np.tanh),
  gelu: () => elementwise(gelu),
  softmax: () => elementwise((x) => nn.softmax(x, -1)),
  /* Recording is tracing here: the sum, and the function that would take it back. */
  "recorded-add": () => {
    const [a, b] = four();
    return () => {
      const [sum, pullback] = vjp((x) => x.add(b.ref), [a.ref]);
      sum.dataSync();
      pullback.dispose();
    };
  },
  /* Traced once and compiled to one kernel; the other frameworks record every time. */
  "backward-adds": () => {
    const [a, b] = four();
    const gradient = jit(
      valueAndGrad((x, increment) => {
        let y = x;
        for (let i = 0; i < 1000; i++) y = y.add(increment.ref);
        increment.dispose();
        return y.sum();
      }),
    );
    return () => {
      const [value, cotangent] = gradient(a.ref, b.ref);
      value.dataSync();
      cotangent.dataSync();
    };
  },
});
