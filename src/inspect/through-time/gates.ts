import type { Tensor } from "../../autograd/index.js";
import { gatesOfStep } from "../../nn/recurrent/composed-sequence.js";
import type { GateValues } from "../../nn/recurrent/composed-gates.js";
import { weightsOf } from "../../nn/recurrent/gru-weights.js";
import type { InspectDocument, InspectNode, JsonNumber, Summary } from "../document.js";
import { summarize } from "../record/summarize.js";

/** What is known of a gate at one step. */
export type GateSummary = Pick<Summary, "range" | "mean">;

/** The gates of a GRU at one step: r (what of the state the candidate sees), z (what of the state stays), and the candidate n. */
export interface Gates {
  readonly reset: GateSummary;
  readonly update: GateSummary;
  readonly candidate: GateSummary;
}

/** The gates of a step that was recorded in elementary operations: h′ = n + z·(h − n); undefined where it is none. */
export function composedGatesOf({ nodes }: InspectDocument, step: readonly InspectNode[]): Gates | undefined {
  const inputsOf = ({ inputs = [] }: InspectNode): InspectNode[] => inputs.map((id) => nodes[id]!);
  for (const sum of step.filter(({ op }) => op === "add")) {
    const [n, product] = inputsOf(sum);
    if (n?.op !== "tanh" || product?.op !== "mul") continue;
    const [z, gap] = inputsOf(product);
    if (z?.op !== "sigmoid" || gap?.op !== "sub" || inputsOf(gap)[1] !== n) continue;
    const r = step.find((node) => node.op === "sigmoid" && node !== z && node.id < n.id);
    if (r) return { reset: of(r.value), update: of(z.value), candidate: of(n.value) };
  }
  return undefined;
}

/** The gates of a step that was recorded as one operation, from the values of its inputs; undefined where it is none. */
export function fusedGatesOf(step: readonly InspectNode[], tensors: readonly Tensor[]): Gates | undefined {
  for (const { op, inputs = [], attributes } of step) {
    const given = inputs.map((id) => tensors[id]!);
    if (op === "gruStep") {
      const [, h, x, ...weights] = given as [Tensor, Tensor, Tensor, ...Tensor[]];
      return summaries(gatesOfStep(weightsOf(weights), x.slice([Number(attributes!.t)]), h));
    }
    if (op === "gruSequence") {
      const [x, h, ...weights] = given as [Tensor, Tensor, ...Tensor[]];
      return summaries(gatesOfStep(weightsOf(weights), x.slice([0]), h));
    }
  }
  return undefined;
}

/** The gates as what is shown of them. */
export function summaries({ r, z, n }: Pick<GateValues, "r" | "z" | "n">): Gates {
  const summary = ({ array }: Tensor): GateSummary => of(summarize(array, 1));
  return { reset: summary(r), update: summary(z), candidate: summary(n) };
}

const of = ({ range, mean }: Summary): { range: Summary["range"]; mean: JsonNumber | null } => ({
  range,
  mean,
});
