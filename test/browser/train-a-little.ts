import { scope } from "../../src/autograd/index.js";
import { Adam, GRU, Linear, mseLoss, TransformerBlock } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { randomNormal, type Tensor } from "../../src/autograd/index.js";
import { kernels, useKernels } from "../../src/tensor/index.js";

/** What a short training left behind. */
export interface Training {
  /** The kernels that did it. */
  readonly kernels: string;
  readonly losses: readonly number[];
  /** The bits of all parameters, folded into one number (FNV-1a). */
  readonly digest: number;
}

/** A few steps of a GRU followed by a transformer block, from a fixed seed: in every engine the same bits. */
export function trainALittle(set: string, steps = 4): Training {
  useKernels(set);
  const rng = generator("browser");
  const gru = new GRU(3, 16, { rng: rng.stream("gru") });
  const block = new TransformerBlock(16, { heads: 2, feedForward: 32, rng: rng.stream("block") });
  const head = new Linear(16, 1, { rng: rng.stream("head") });
  const parameters = [gru, block, head].flatMap((module) => module.parameters());
  const optimizer = new Adam(parameters, { lr: 0.01 });
  const x = randomNormal(rng.stream("x"), [8, 12, 3]);
  const y = randomNormal(rng.stream("y"), [8, 12, 1]);
  const forward = (): Tensor => head.forward(block.forward(gru.forward(x).output));
  const losses = Array.from({ length: steps }, () =>
    scope(() => {
      optimizer.zeroGrad();
      const loss = mseLoss(forward(), y);
      loss.backward();
      optimizer.step();
      return loss.item();
    }),
  );
  return { kernels: kernels().name, losses, digest: digestOf(parameters) };
}

function digestOf(parameters: readonly Tensor[]): number {
  let hash = 0x811c9dc5;
  for (const parameter of parameters) {
    for (const byte of new Uint8Array(parameter.values().buffer))
      hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
