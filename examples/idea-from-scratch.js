// @ts-check
/**
 * An idea from scratch: node examples/idea-from-scratch.js checks its mathematics;
 * npx gradstand bench run ./examples/idea-from-scratch.js --preset quick tries it.
 *
 * The idea: after each step of a recurrent network, draw the hidden units towards their mean, C(h) = m + a·(h − m) with m the mean
 * of h over the units. It keeps the mean and scales the spread by a: an identity for every h, so it is tested before anything is
 * trained. That its mathematics holds does not mean that it helps; that is what the bench is for.
 */
import { generator, randomNormal } from "gradstand";
import { defineIdea } from "gradstand/bench";

/** @import { Tensor } from "gradstand" */

/**
 * m + a·(h − m), `[batch, units]` → `[batch, units]`.
 *
 * @param {Tensor} h
 * @param {number} a
 */
export function towardsMean(h, a) {
  const mean = h.mean(-1, { keepDims: true });
  return mean.add(h.sub(mean).mul(a));
}

/**
 * The largest change of the mean over the units, beside the largest unit.
 *
 * @param {Tensor} before
 * @param {Tensor} after
 */
export function drift(before, after) {
  const moved = after.cast("float64").mean(-1).sub(before.cast("float64").mean(-1)).abs().max().item();
  return moved / before.abs().max().item();
}

/** Of float32 sums of 64 numbers. */
const tolerance = 1e-6;

export default defineIdea({
  name: "towards-mean",
  title: "Hidden units drawn towards their mean",
  summary: "C(h) = m + a·(h − m) after each step, with m the mean over the units.",
  source: "an example",
  track: "dynamics",
  model: "rnn_small",
  options: { a: 0.9 },

  change: ({ a }) => ({ hidden: (h) => towardsMean(h, a) }),

  checks({ a }, rng) {
    const h = randomNormal(rng, [100, 64]);
    const observed = drift(h, towardsMean(h, a));
    const statement = "mean C(h) = mean h, relative to the largest unit";
    return [{ name: "mean", statement, observed, bound: tolerance, passed: observed <= tolerance }];
  },

  measure(trained, { a }) {
    const states = trained.hiddenStates().slice(1);
    /** @param {(h: Tensor) => Tensor} change */
    const worst = (change) => Math.max(...states.map((h) => drift(h, change(h))));
    const [observed, control] = [worst((h) => towardsMean(h, a)), worst((h) => h.mul(a))];
    const [held, refuted] = [observed <= tolerance, control > tolerance];
    return {
      claims: [
        {
          quantity: "drift of the mean",
          statement: "mean C(h) = mean h on every state of the trained model, relative to the largest unit",
          where: "trained model",
          predicted: 0,
          observed,
          tolerance,
          held,
          control: { what: "a·h, which scales the mean as well", observed: control, refuted },
        },
      ],
      confirmed: held && refuted,
      figures: {},
    };
  },
});

if (process.argv[1] === import.meta.filename) {
  const h = randomNormal(generator(0), [100, 64]);
  console.log(`drift of the mean under C(h): ${drift(h, towardsMean(h, 0.9)).toExponential(0)}`);
  console.log(`drift of the mean under 0.9·h: ${drift(h, h.mul(0.9)).toExponential(0)}`);
  console.log("to try it: npx gradstand bench run ./examples/idea-from-scratch.js --preset quick");
}
