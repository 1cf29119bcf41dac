import { concat, defineOp, isRecording, Tensor } from "../../autograd/index.js";
import type { AttentionLayout, HeadRows } from "../../tensor/index.js";
import { isUnfused } from "../unfused.js";
import {
  attentionBackward,
  attentionFlops,
  attentionForward,
  maskSteps,
  type Attributes,
} from "./attention-kernel.js";
import { hiddenPairs, masksOf, type MaskOptions, type Masks, type PairShape } from "./attention-mask.js";
import {
  composedSoftmaxAttention,
  composedSoftmaxAttentionCotangents,
} from "./composed-softmax-attention.js";

/** `[batch, n, heads·d]` → `[batch, heads, n, d]` */
export function splitHeads(x: Tensor, heads: number): Tensor {
  const [batch, n, features] = x.shape as [number, number, number];
  return x.reshape([batch, n, heads, features / heads]).permute([0, 2, 1, 3]);
}

/** `[batch, heads, n, d]` → `[batch, n, heads·d]` */
export function joinHeads(x: Tensor): Tensor {
  const [batch, heads, n, d] = x.shape as [number, number, number, number];
  return x.permute([0, 2, 1, 3]).reshape([batch, n, heads * d]);
}

/** q, k and v `[batch, n, features]` from what holds them: three tensors, or one `[batch, n, 3·features]` with all side by side. */
export function partsOf(inputs: readonly Tensor[]): [q: Tensor, k: Tensor, v: Tensor] {
  if (inputs.length === 3) return inputs as unknown as [Tensor, Tensor, Tensor];
  return inputs[0]!.split(3, 2) as [Tensor, Tensor, Tensor];
}

/** The attention of several heads in one operation. */
export const headsAttentionOperation = defineOp<Attributes>({
  name: "headsAttention",
  flops: (_inputs, _output, { layout }) => attentionFlops(layout),
  forward: (inputs, attributes) => {
    const { batch, heads, queries, width } = attributes.layout;
    const [q, k = q, v = q] = inputs;
    return attentionForward(attributes, q!, k!, v!, [batch, queries, heads * width]);
  },
  vjp: ({ cotangent: g, inputs, output, attributes }) => {
    if (!isRecording()) {
      const arrays = inputs.map((x) => x.array);
      return attentionBackward(attributes, arrays, output.array, g.array).map((x) => new Tensor(x));
    }
    const { batch, heads, queries, keys } = attributes.layout;
    const hidden = hiddenPairs(attributes.masks, [batch, heads, queries, keys]);
    const [q, k, v] = partsOf(inputs).map((x) => splitHeads(x, heads)) as [Tensor, Tensor, Tensor];
    const found = composedSoftmaxAttentionCotangents(splitHeads(g, heads), q, k, v, hidden).map(joinHeads);
    return inputs.length === 3 ? found : [concat(found, 2)];
  },
});

/**
 * Attention of several heads side by side, without taking them apart: q, k and v as {@link partsOf} finds them, heads of
 * features/heads columns each → `[batch, queries, features]`. The bits of `attention` on the heads one by one.
 */
export function headsAttention(inputs: readonly Tensor[], heads: number, options: MaskOptions): Tensor {
  const [batch, queries] = inputs[0]!.shape as [number, number, number];
  const shape: PairShape = [batch, heads, queries, inputs.length === 1 ? queries : inputs[1]!.shape[1]!];
  const masks = masksOf(options, shape);
  if (isUnfused()) {
    const [q, k, v] = partsOf(inputs).map((x) => splitHeads(x, heads)) as [Tensor, Tensor, Tensor];
    return joinHeads(composedSoftmaxAttention(q, k, v, hiddenPairs(masks, shape)));
  }
  const differentiated = isRecording() && inputs.some((x) => x.requiresGrad);
  const layout = layoutOf(inputs, shape, masks);
  return headsAttentionOperation(inputs, { layout, masks, differentiated, weights: undefined });
}

function layoutOf(inputs: readonly Tensor[], shape: PairShape, masks: Masks): AttentionLayout {
  const joint = inputs.length === 1;
  const [batch, heads, queries, keys] = shape;
  const pitch = inputs[0]!.shape[2]!;
  const all = joint ? pitch / 3 : pitch;
  const features = all / heads;
  const rows = (n: number, row: number, start: number): HeadRows => ({
    start,
    batch: n * row,
    head: features,
    row,
  });
  return {
    batch,
    heads,
    queries,
    keys,
    features,
    width: features,
    q: rows(queries, pitch, 0),
    k: rows(keys, pitch, joint ? all : 0),
    v: rows(keys, pitch, joint ? 2 * all : 0),
    out: rows(queries, all, 0),
    mask: maskSteps(masks, shape),
    causal: masks.causal,
  };
}
