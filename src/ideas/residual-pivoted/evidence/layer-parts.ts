import { backwardProblem } from "../kernel/backward.js";
import { forwardProblem } from "../kernel/forward.js";
import { pivotMass } from "../kernel/pivot-law.js";
import { eliminate } from "../kernel/residual.js";

/** The parts of the layer that its evidence is about: with a broken one in its place, a check must fail. */
export interface LayerParts {
  readonly pivotMass: typeof pivotMass;
  readonly eliminate: typeof eliminate;
  readonly forwardProblem: typeof forwardProblem;
  readonly backwardProblem: typeof backwardProblem;
}

/** The parts that the layer is made of. */
export const layerParts: LayerParts = { pivotMass, eliminate, forwardProblem, backwardProblem };
