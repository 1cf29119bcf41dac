import { noGrad, type Tensor } from "../../autograd/index.js";
import { composedStepCotangents, gatesOfStep } from "../../nn/recurrent/composed-sequence.js";
import { weightsOf } from "../../nn/recurrent/gru-weights.js";
import type { InspectDocument, InspectNode, Summary } from "../document.js";
import { summarize } from "../record/summarize.js";
import { summaries, type Gates } from "./gates.js";

/** One step of a sequence that was computed in one operation. */
export interface OpenedStep {
  readonly state: Summary;
  /** ∂L/∂h_t, through the steps after it too; undefined where nothing flows to the sequence. */
  readonly gradient: Summary | undefined;
  readonly gates: Gates;
}

/** The steps of a `gruSequence`: its states and gates, and the way back through it step by step. */
export function openedSequence(
  node: InspectNode,
  tensors: readonly Tensor[],
  cotangent: Tensor | undefined,
): OpenedStep[] {
  return noGrad(() => {
    const [x, start, ...list] = node.inputs!.map((id) => tensors[id]!.detach()) as [
      Tensor,
      Tensor,
      ...Tensor[],
    ];
    const weights = weightsOf(list);
    const states = tensors[node.id]!.detach();
    const time = states.shape[1]!;
    const before = (t: number): Tensor => (t === 0 ? start : states.slice([null, t - 1]));
    const steps = new Array<OpenedStep>(time);
    let carried: Tensor | undefined;
    for (let t = time - 1; t >= 0; t--) {
      const own = cotangent?.slice([null, t]);
      const total = own && (carried ? own.add(carried) : own);
      steps[t] = {
        state: summarize(states.slice([null, t]).array, 1),
        gradient: total && summarize(total.array, 1),
        gates: summaries(gatesOfStep(weights, x.slice([t]), before(t))),
      };
      carried = total && composedStepCotangents(total, weights, x.slice([t]), before(t)).h;
    }
    return steps;
  });
}

/** The layers of a document that were computed in one operation over several steps. */
export function sequencesIn({ nodes }: InspectDocument): InspectNode[] {
  return nodes.filter(({ op, shape }) => op === "gruSequence" && shape[1]! > 1);
}
