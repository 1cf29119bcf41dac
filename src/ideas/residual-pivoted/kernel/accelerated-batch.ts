import type { Generator } from "../../../random/index.js";
import type { Floats } from "../../../tensor/index.js";
import { dustTolerance } from "../settings.js";
import { chooseAcceleratedPivots, type DrawnLaw } from "./accelerated-pivots.js";
import type { Mask, ProblemSize } from "./points.js";
import { emptyPoints, placePoints } from "./points.js";
import { startResidual } from "./residual.js";

/** One problem whose pivots are to be drawn. */
export interface DrawnProblem {
  readonly q: Floats;
  readonly k: Floats;
  readonly queryMask: Mask;
  readonly keyMask: Mask;
}

/**
 * The pivots of a batch by the accelerated sampler, `[problems, rank]` with −1 after the last of a problem, to be held: each
 * problem draws as much as it needs from a stream of its own. None for a problem that is empty or not finite.
 */
export function acceleratedBatch(
  size: ProblemSize,
  problems: number,
  rank: number,
  law: DrawnLaw,
  random: Generator,
  problemAt: (problem: number) => DrawnProblem,
): Int32Array {
  const pivots = new Int32Array(problems * rank).fill(-1);
  const rows = size.queries + size.keys;
  const single = problems > 0 && problemAt(0).q instanceof Float32Array;
  const floats = (length: number): Floats => (single ? new Float32Array(length) : new Float64Array(length));
  const points = emptyPoints(size, single);
  const columns = floats(rank * rows);
  const buffers = { factor: floats(rank * rows), diagonal: floats(rows), weights: new Float64Array(rows) };
  const mass = new Float64Array(rows);
  for (let p = 0; p < problems; p++) {
    const { q, k, queryMask, keyMask } = problemAt(p);
    const finite = placePoints(points, q, k, queryMask, keyMask);
    if (!finite || !points.present.subarray(size.queries).includes(1)) continue;
    const { present, squaredNorms: logWeights } = points;
    const setup = { single, capacity: rank, present, logWeights, tolerance: dustTolerance(rank, single) };
    const own = pivots.subarray(p * rank, (p + 1) * rank);
    const residual = startResidual(setup, buffers);
    chooseAcceleratedPivots(points, residual, law, random.stream(`problem ${p}`), own, columns, mass);
  }
  return pivots;
}
