import { randomNormal, type Tensor } from "../../../src/autograd/index.js";
import { models } from "../../../src/bench/models/index.js";
import { Adam, mseLoss } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import type { FloatDType } from "../../../src/tensor/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import type { LawResult } from "../../../src/testing/index.js";

const shape = { input: { kind: "series", steps: 12, features: 2 }, outputs: 2 } as const;
const batch = 8;
const steps = 200;

/** The losses of `steps` steps of Adam from the same parameters and data, computed in `dtype`. */
function losses(name: string, dtype: FloatDType): number[] {
  const model = models.get(name)!.build(shape, generator("trained").stream("init"), {});
  model.module.to(dtype);
  const x = randomNormal(generator("trained x"), [batch, shape.input.steps, 2]).cast(dtype);
  const y = x.sum(1).mul(0.1).cast(dtype);
  const optimizer = new Adam(model.module.parameters(), { lr: 0.003 });
  const found: number[] = [];
  for (let step = 0; step <= steps; step++) {
    const loss: Tensor = optimizer.step(() => mseLoss(model.forward(x), y));
    found.push(loss.item());
  }
  return found;
}

/**
 * 200 steps of Adam on a model of the bench in float32 and in float64: the losses at step 50 agree to 1e-4 relative. After that
 * rounding grows with the training itself, so that the losses at step 200 are held to 1e-4 of the first loss.
 */
export function checkTrainedModel(name: string): LawResult {
  const comparison = new Comparison("Trained");
  const [coarse, fine] = [losses(name, "float32"), losses(name, "float64")];
  const compare = (part: string, step: number, unit: number): void =>
    comparison.error(part, 1e-4, Math.abs(coarse[step]! - fine[step]!) / unit, () => ({
      where: `the loss at step ${step}`,
      expected: fine[step]!,
      found: coarse[step]!,
    }));
  compare("loss at step 50, relative", 50, fine[50]!);
  compare("loss at step 200 / first loss", 200, fine[0]!);
  comparison.error("the loss falls", 0.5, fine[steps]! / fine[0]!, () => ({
    where: "the loss at the last step, of the first",
    expected: "at most half",
    found: fine[steps]! / fine[0]!,
  }));
  return comparison.result();
}
