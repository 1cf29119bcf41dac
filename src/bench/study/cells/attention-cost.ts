import { noGrad, scope, tensor, type Tensor } from "../../../autograd/index.js";
import { residualPivotedAttention } from "../../../ideas/residual-pivoted/index.js";
import { attention } from "../../../nn/index.js";
import { generator } from "../../../random/index.js";
import { peakMemory } from "./peak-memory.js";
import { repeatTimed } from "./repeat-timed.js";

/** One attention whose cost is measured. */
export interface AttentionCostPoint extends Readonly<Record<string, number | string>> {
  /** `naive`: exact, with the n × n matrix; `fused`: exact, without it; `pivoted`: through `rank` pivots. */
  readonly method: "naive" | "fused" | "pivoted";
  readonly pass: "forward" | "both";
  /** Of the head. */
  readonly width: number;
  /** 0 for exact attention. */
  readonly rank: number;
  /** Queries, and keys. */
  readonly n: number;
}

/** What one attention costs. */
export type AttentionCostFigures = {
  /** Seconds of one pass, the median. */
  readonly seconds: number;
  readonly first: number;
  readonly repeats: number;
  /** Bytes that the process held when the inputs were there, and at its peak after one pass. */
  readonly before: number;
  readonly peak: number;
};

const methods: Readonly<
  Record<AttentionCostPoint["method"], (q: Tensor, k: Tensor, v: Tensor, rank: number) => Tensor>
> = {
  naive: (q, k, v) =>
    q
      .matmul(k.permute([0, 1, 3, 2]))
      .mul(1 / Math.sqrt(q.shape[3]!))
      .softmax(-1)
      .matmul(v),
  fused: (q, k, v) => attention(q, k, v),
  pivoted: (q, k, v, rank) =>
    residualPivotedAttention(q, k, v, { rank, rng: generator(1).stream("pivots") }).output,
};

/**
 * The cost of one head of attention over n queries and n keys of N(0, 1) in float32: time and peak memory of one pass. To
 * be run in a fresh process. `both` is the forward pass and the gradients of the sum of all outputs in q, k and v.
 */
export function attentionCostCell({
  method,
  pass,
  width,
  rank,
  n,
}: AttentionCostPoint): AttentionCostFigures {
  const differentiated = pass === "both";
  const once = (inputs: readonly Tensor[]): void =>
    scope(() => {
      const [q, k, v] = inputs as [Tensor, Tensor, Tensor];
      const forward = (): Tensor => methods[method](q, k, v, rank);
      if (!differentiated) return void noGrad(forward);
      forward().sum().backward();
      for (const input of inputs) input.grad = undefined;
    });
  // Loads what every size needs, so that the peak is that of the size.
  once(inputsOf(2, width, differentiated));
  const inputs = inputsOf(n, width, differentiated);
  const before = process.memoryUsage.rss();
  let peak = before;
  const timing = repeatTimed(() => once(inputs), { onFirst: () => (peak = peakMemory()) });
  return { ...timing, before, peak };
}

function inputsOf(n: number, width: number, requiresGrad: boolean): readonly Tensor[] {
  const rng = generator(0).stream("attention-cost");
  return ["q", "k", "v"].map((name) =>
    tensor(Float32Array.from(rng.stream(name).normals(n * width)), { shape: [1, 1, n, width], requiresGrad }),
  );
}
