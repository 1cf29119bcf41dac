import { layerParts, type LayerParts } from "../../../src/ideas/residual-pivoted/evidence/layer-parts.js";
import type { PivotLaw } from "../../../src/ideas/residual-pivoted/settings.js";

type Forward = LayerParts["forwardProblem"];
type Eliminate = LayerParts["eliminate"];
type Gradients = Parameters<LayerParts["backwardProblem"]>[5];

/** The layer whose pivots follow another law than the one asked for. */
export function withLaw(change: (law: PivotLaw) => PivotLaw): LayerParts {
  return {
    ...layerParts,
    pivotMass: (law, residual, mass) => layerParts.pivotMass(change(law), residual, mass),
  };
}

/** The layer whose pivots follow a law of slightly other masses. */
export function withMass(change: (share: number, row: number) => number): LayerParts {
  return {
    ...layerParts,
    pivotMass: (law, residual, mass) => {
      layerParts.pivotMass(law, residual, mass);
      mass.set(mass.map(change));
      return mass.reduce((sum, share) => sum + share, 0);
    },
  };
}

/** The layer that spoils the residual after each step of the elimination. */
export function withElimination(
  spoil: (residual: Parameters<Eliminate>[0], pivot: number) => void,
): LayerParts {
  return {
    ...layerParts,
    eliminate: (residual, pivot, column) => {
      const kept = layerParts.eliminate(residual, pivot, column);
      spoil(residual, pivot);
      return kept;
    },
  };
}

/** The layer that spoils what a pass over one problem left in its tape and its output. */
export function withForward(
  spoil: (tape: Parameters<Forward>[0], out: Parameters<Forward>[5], rank: number) => void,
): LayerParts {
  return {
    ...layerParts,
    forwardProblem: (tape, inputs, source, ridge, scratch, out) => {
      const result = layerParts.forwardProblem(tape, inputs, source, ridge, scratch, out);
      spoil(tape, out, result.rank);
      return result;
    },
  };
}

/** The layer that spoils its gradients. */
export function withGradients(spoil: (grads: Gradients) => void): LayerParts {
  return {
    ...layerParts,
    backwardProblem: (tape, rank, v, cotangent, scratch, grads) => {
      layerParts.backwardProblem(tape, rank, v, cotangent, scratch, grads);
      spoil(grads);
    },
  };
}
