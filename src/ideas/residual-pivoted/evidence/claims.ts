import type { Claim } from "../../idea.js";
import type { TraceFigures } from "./measure.js";
import { halfWidths } from "./sampling-interval.js";
import { claimsAlpha, familyModels, samplingDraws } from "./tolerances.js";
import type { TraceCell } from "./trace-identity.js";

/**
 * The trace identity in exact expectation, which decides: the largest error over the cells is within the tolerance, and
 * under uniform pivots it is not.
 */
export function exactClaim(
  figures: Pick<TraceFigures, "largestError" | "largestUniformError">,
  tolerance: number,
): Claim {
  return {
    quantity: "expected trace decrease",
    statement:
      "largest |E[tr R − tr R'] − ‖R‖²_F / tr R| / tr K over ranks, heads, layers and inputs, exact expectation",
    where: "trained model",
    predicted: 0,
    observed: figures.largestError,
    tolerance,
    held: figures.largestError <= tolerance,
    control: {
      what: "uniform pivots",
      observed: figures.largestUniformError,
      refuted: figures.largestUniformError > tolerance,
    },
  };
}

/**
 * The trace identity in the mean of drawn pivots, which informs: every mean lies within its share of the family-wise
 * interval, {@link claimsAlpha} over all cells of up to {@link familyModels} models, and some mean under uniform pivots
 * does not. `tolerance` is what the arithmetic of the draws may be off by.
 */
export function sampledClaim(cells: readonly TraceCell[], tolerance: number): Claim {
  const alpha = claimsAlpha / (familyModels * cells.length);
  const worst = (sampled: "sampled" | "sampledUniform"): number =>
    Math.max(...cells.map((cell) => halfWidths(cell[sampled]!, tolerance, alpha)));
  const observed = worst("sampled");
  const control = worst("sampledUniform");
  return {
    quantity: "sampled trace decrease",
    statement:
      `largest |mean of ${samplingDraws} draws − ‖R‖²_F / tr R| in half-widths of the 99.5 % interval that is family-wise ` +
      `over ranks, heads, layers, inputs and up to ${familyModels} seeds (Bernstein)`,
    where: "trained model",
    predicted: 0,
    observed,
    tolerance: 1,
    held: observed <= 1,
    control: { what: "uniform pivots", observed: control, refuted: control > 1 },
  };
}

/** The claim as it stands when part of what it is about could not be evaluated: it does not hold, and says why. */
export function withheld(claim: Claim, reason: string): Claim {
  return { ...claim, statement: `${claim.statement}; not held because ${reason}`, held: false };
}
