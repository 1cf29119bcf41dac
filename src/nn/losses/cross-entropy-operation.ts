import { defineOp, isRecording, Tensor, tensor } from "../../autograd/index.js";
import { kernels, NDArray, reserve, type FloatDType, type Floats } from "../../tensor/index.js";

/** What each row of logits is judged by. */
export interface Classes {
  /** The class of each row, 0 for rows that do not count. */
  readonly picked: Int32Array;
  /** 1 for rows that count, 0 for the others. */
  readonly counts: Uint8Array;
}

/** `logs` is kept by the forward pass for the backward pass. */
interface Attributes extends Classes {
  logs?: Floats;
}

/** {@link pickedCosts} as an operation. */
export const crossEntropyOperation = defineOp<Attributes>({
  name: "crossEntropy",
  forward: ([logits], attributes) => {
    const { picked, counts } = attributes;
    const [n, classes] = logits!.shape as [number, number];
    const dtype = logits!.dtype as FloatDType;
    const logs = reserve(dtype, n * classes);
    kernels().logSoftmax(classes, logits!.data as Floats, logs);
    attributes.logs = logs;
    const costs = reserve(dtype, n);
    for (let row = 0; row < n; row++)
      costs[row] = counts[row] === 0 ? 0 : -logs[row * classes + picked[row]!]!;
    return new NDArray([n], dtype, costs);
  },
  vjp: ({ cotangent: g, inputs: [logits], attributes }) => [
    isRecording() ? composedCotangent(g, logits!, attributes) : fusedCotangent(g, logits!, attributes),
  ],
});

/** (softmax(logits) − onehot)·g in the rows that count, 0 in the others. */
function composedCotangent(g: Tensor, logits: Tensor, { picked, counts }: Classes): Tensor {
  const [n, classes] = logits.shape as [number, number];
  const hot = new Uint8Array(n * classes);
  for (let row = 0; row < n; row++) hot[row * classes + picked[row]!] = 1;
  const counted = tensor(counts, { shape: [n, 1] });
  const wanted = tensor(hot, { shape: [n, classes] }).cast(logits.dtype);
  return logits.where(counted, 0).softmax(-1).sub(wanted).mul(g.unsqueeze(1).where(counted, 0));
}

/** The same from the logarithms: −g at the picked classes, taken back through log-softmax. */
function fusedCotangent(g: Tensor, logits: Tensor, { picked, counts, logs }: Attributes): Tensor {
  const [n, classes] = logits.shape as [number, number];
  const dtype = logits.dtype as FloatDType;
  const costs = g.array.data as Floats;
  const flow = reserve(dtype, n * classes).fill(0);
  for (let row = 0; row < n; row++) if (counts[row] !== 0) flow[row * classes + picked[row]!] = -costs[row]!;
  const out = reserve(dtype, n * classes);
  kernels().logSoftmaxBackward(classes, logs!, flow, out);
  for (let row = 0; row < n; row++) if (counts[row] === 0) out.fill(0, row * classes, (row + 1) * classes);
  return new Tensor(new NDArray(logits.shape, dtype, out));
}

/**
 * −ln softmax(logits)[picked] of each row that counts, 0 for the others: logits `[n, classes]`, not empty → `[n]`. One operation with a
 * fused gradient; when the backward pass itself is recorded, that is composed of elementary operations, so that second
 * derivatives work.
 */
export function pickedCosts(logits: Tensor, { picked, counts }: Classes): Tensor {
  return crossEntropyOperation([logits], { picked, counts });
}
