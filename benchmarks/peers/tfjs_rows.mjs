/** The rows of the benchmark in TensorFlow.js: what each row is, see benchmarks/table.mjs. */
import * as tf from "@tensorflow/tfjs-core";
import { gelu, normal, recurrent, training, transformer } from "./tfjs_training.mjs";
import { serve } from "../rows/serve.mjs";

function square(n) {
  const [a, b] = [normal(n, n), normal(n, n)];
  return () => tf.matMul(a, b).dispose();
}

function elementwise(f) {
  const x = normal(1000, 1000);
  return () => tf.tidy(() => void f(x));
}

const four = () => [tf.tensor1d([1, 2, 3, 4]), tf.tensor1d([1, 2, 3, 4])];

await serve({
  "matmul-64": () => square(64),
  "matmul-256": () => square(256),
  "matmul-512": () => square(512),
  "gru-train": () => training(recurrent(), normal(32, 32, 3), normal(32, 2)),
  "gru-rank2-train": () => {
    throw new Error("no SVD");
  },
  "transformer-train": () => training(transformer(64, 32, 64), normal(32, 64, 4), normal(32, 1)),
  "transformer-wide-train": () => training(transformer(128, 64, 128), normal(32, 128, 4), normal(32, 1)),
  exp: () => elementwise(tf.exp),
  tanh: () => elementwise(tf.tanh),
  gelu: () => elementwise(gelu),
  softmax: () => elementwise(tf.softmax),
  /* Not recorded: recording is not to be had apart from a whole gradient, so this figure is short of it, in this framework's favour. */
  "recorded-add": () => {
    const [a, b] = four();
    return () => tf.add(a, b).dispose();
  },
  "backward-adds": () => {
    const [a, b] = four();
    const gradient = tf.valueAndGrad((x) => {
      let y = x;
      for (let i = 0; i < 1000; i++) y = tf.add(y, b);
      return tf.sum(y);
    });
    return () => {
      const { value, grad } = gradient(a);
      value.dispose();
      grad.dispose();
    };
  },
});
