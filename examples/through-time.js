// @ts-check
/**
 * A gradient on its way back through time: node examples/through-time.js
 *
 * A plain recurrent network and a GRU read the same series, and are asked at its end for what they saw at its start. Shown is how large the
 * gradient is that arrives at each state, from the last step back to the first. Both can be looked at:
 * gradstand inspect examples/through-time.js --only plain --html (or --only gated --unfused).
 */
import { generator, randomNormal, tensor, zeros } from "gradstand";
import { inspect, throughTime } from "gradstand/inspect";
import { GRU, Linear, Module, mseLoss } from "gradstand/nn";

/** @import { Tensor } from "gradstand" */

const steps = 24;
const hidden = 8;
const rng = generator(4);
const series = randomNormal(rng.stream("series"), [4, steps, 1]);
/** What was seen at the first step. */
const first = series.slice([null, 0]);

/** h′ = tanh(W·x + U·h), one step of a plain recurrent network. */
export class PlainCell extends Module {
  inward = new Linear(1, hidden, { rng: rng.stream("inward") });
  onward = new Linear(hidden, hidden, { rng: rng.stream("onward") });

  /**
   * @param {Tensor} x `[batch, 1]`
   * @param {Tensor} h `[batch, hidden]`
   */
  forward(x, h) {
    return this.inward.forward(x).add(this.onward.forward(h)).tanh();
  }
}

export const cell = new PlainCell();
export const gru = new GRU(1, hidden, { rng: rng.stream("gru") });
export const head = new Linear(hidden, 1, { rng: rng.stream("head") });
// The update gate is opened in the beginning: z near 1 keeps the state.
const bias = gru.bias_ih_l0;
bias?.assign(tensor(bias.values().map((b, i) => (i >= hidden && i < 2 * hidden ? b + 2 : b))));

/** The loss of the plain network. */
export function plain() {
  let h = zeros([4, hidden]);
  for (let t = 0; t < steps; t++) h = cell.forward(series.slice([null, t]), h);
  return mseLoss(head.forward(h), first);
}

/** The loss of the GRU. */
export const gated = () => mseLoss(head.forward(gru.forward(series).hidden.squeeze(0)), first);

/**
 * ‖∂L/∂h‖ after each step.
 *
 * @param {() => Tensor} loss
 */
export function gradientsThroughTime(loss) {
  const document = inspect(loss, [], { modules: { cell, gru, head }, unfused: true });
  return throughTime(document)[0].steps.map(({ gradient }) => Number(gradient));
}

if (process.argv[1] === import.meta.filename) {
  const [a, b] = [plain, gated].map(gradientsThroughTime);
  console.log("step   plain      GRU");
  for (let t = steps - 1; t >= 0; t -= 4)
    console.log(`${String(t).padStart(4)}   ${a[t].toExponential(1)}   ${b[t].toExponential(1)}`);
}
