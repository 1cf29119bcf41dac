import type { Claim } from "../../../ideas/index.js";
import type { BenchReportV2 } from "../document-v2.js";

/** A claim on one trained model, and its place in the report. */
export interface PlacedClaim {
  readonly claim: Claim;
  readonly path: string;
  readonly seed: string;
}

/** The claims about one quantity, over all trained models. */
export interface ClaimGroup {
  readonly quantity: string;
  readonly claims: readonly PlacedClaim[];
  /** The observation furthest from what was predicted. */
  readonly furthest: PlacedClaim;
  /** The control that comes nearest to what was predicted. */
  readonly nearestControl: PlacedClaim;
}

/** The claims of a report by quantity, in the order in which they are first made. */
export function claimGroups({ mechanism }: BenchReportV2): ClaimGroup[] {
  const groups = new Map<string, PlacedClaim[]>();
  mechanism.forEach(({ seed, claims }, model) => {
    claims.forEach((claim, at) => {
      const placed = { claim, seed, path: `mechanism[${model}].claims[${at}]` };
      groups.set(claim.quantity, [...(groups.get(claim.quantity) ?? []), placed]);
    });
  });
  return [...groups].map(([quantity, claims]) => ({
    quantity,
    claims,
    furthest: claims.reduce((a, b) => (distance(b) > distance(a) ? b : a)),
    nearestControl: claims.reduce((a, b) => (controlDistance(b) < controlDistance(a) ? b : a)),
  }));
}

const from = (observed: number, predicted: number | string): number =>
  typeof predicted === "number" ? Math.abs(observed - predicted) : observed;

const distance = ({ claim }: PlacedClaim): number => from(claim.observed, claim.predicted);

const controlDistance = ({ claim }: PlacedClaim): number => from(claim.control.observed, claim.predicted);
