import type { InspectDocument, JsonNumber, Summary } from "../document.js";
import { fromJson, toJson } from "../json-number.js";
import { gradientsOf } from "../replay/gradients.js";
import { whereReplayable, type ReplayOptions } from "../replay/recompute.js";
import { stepsOf } from "../steps.js";
import { openedSequence, sequencesIn } from "./fused-sequence.js";
import { composedGatesOf, fusedGatesOf, type Gates } from "./gates.js";
import { recurrentSteps } from "./recurrent-steps.js";

/** One step of a recurrent layer. */
export interface TimeStep {
  readonly time: number;
  /** The node of the state after the step, where the steps were recorded one by one. */
  readonly state?: number;
  /** ‖h_t‖ over the whole batch. */
  readonly norm: JsonNumber;
  /** ‖∂L/∂h_t‖ over the whole batch, through the steps after it too; null where no gradient was computed. */
  readonly gradient: JsonNumber | null;
  /** ‖∂L/∂h_{t−1}‖ / ‖∂L/∂h_t‖: what the way back through this step did to the gradient; null at step 0 and where there is none. */
  readonly gain: JsonNumber | null;
  /** Of a GRU. */
  readonly gates?: Gates;
}

/** A recurrent layer through time. */
export interface RecurrentLayer {
  /** The path of the module, "" where none is known. */
  readonly path: string;
  /** The class of the module, where it is known. */
  readonly type?: string;
  /** Whether the steps were recorded one by one, or worked out from an operation that computes all of them. */
  readonly recorded: "each step" | "one operation";
  /** None where the layer is one operation and the document cannot be computed again. */
  readonly steps: readonly TimeStep[];
}

/**
 * The recurrent layers of a computation through time, in the order in which they begin: how large the gradient is that arrives at each state,
 * what each step does to it, and the gates of a GRU. Steps that were recorded one by one are read from the document, and so are the gates of
 * an unfused GRU; what fused operations hide is computed again where `replay` could do it, and left out otherwise.
 *
 * A layer is a `GRU`, a `GRUCell` that is called again and again, or any module that one call calls three times and more with what its
 * call before has made, such as a plain RNN.
 */
export function throughTime(
  document: InspectDocument,
  options: ReplayOptions = {},
): readonly RecurrentLayer[] {
  const sequences = sequencesIn(document);
  const layers = recurrentSteps(document);
  const fused = layers.some(({ steps }) =>
    steps[0]!.some(({ op }) => op === "gruStep" || op === "gruSequence"),
  );
  const again = fused || sequences.length > 0 ? whereReplayable(document, options) : undefined;
  const tensors = again?.run().tensors;
  const { gradientAt, last } = stepsOf(document);
  const found = layers.map(({ path, steps, states }) => {
    const measured = states.map(({ id, value }, time) => ({
      state: id,
      norm: value.norm,
      gradient: gradientAt(id, last).gradient,
      gates: composedGatesOf(document, steps[time]!) ?? (tensors && fusedGatesOf(steps[time]!, tensors)),
    }));
    const layer = {
      path,
      ...typeOf(document, path),
      recorded: "each step",
      steps: measuredSteps(measured),
    } as const;
    return { first: states[0]!.id, layer };
  });
  const arriving =
    again &&
    tensors &&
    gradientsOf(
      again,
      tensors,
      sequences.map(({ id }) => id),
    );
  const opened = sequences.map((node) => {
    const path = node.call === undefined ? "" : document.calls[node.call]!.path;
    const steps = tensors ? openedSequence(node, tensors, arriving!.get(node.id)) : [];
    const measured = steps.map(({ state, gradient, gates }) => ({ norm: state.norm, gradient, gates }));
    const layer = {
      path,
      ...typeOf(document, path),
      recorded: "one operation",
      steps: measuredSteps(measured),
    } as const;
    return { first: node.id, layer };
  });
  return [...found, ...opened].sort((a, b) => a.first - b.first).map(({ layer }) => layer);
}

interface Measured {
  readonly state?: number;
  readonly norm: JsonNumber;
  readonly gradient: Summary | undefined;
  readonly gates: Gates | undefined;
}

function measuredSteps(measured: readonly Measured[]): TimeStep[] {
  return measured.map(({ state, norm, gradient, gates }, time) => {
    const before = time === 0 ? undefined : measured[time - 1]!.gradient;
    const gain = gradient && before && fromJson(before.norm) / fromJson(gradient.norm);
    return {
      time,
      ...(state !== undefined && { state }),
      norm,
      gradient: gradient?.norm ?? null,
      gain: gain === undefined ? null : toJson(gain),
      ...(gates && { gates }),
    };
  });
}

function typeOf({ calls }: InspectDocument, path: string): { readonly type?: string } {
  const call = calls.find((one) => one.path === path);
  return call ? { type: call.type } : {};
}
