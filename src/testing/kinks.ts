import { CloserSlopes } from "./closer-slopes.js";
import { slopesAt, type Path, type Slopes } from "./differences.js";

/** Steps that are tried, as fractions of the step of the differences. */
const refinements = [0.1, 0.01] as const;

/**
 * The derivative by differences, or undefined at a kink. Where the derivatives from both sides agree the function is smooth, and the
 * differences count. Where they do not, the differences are taken closer to the point; where the sides never come together there
 * is no derivative to compare with. NaN where a value beside the point is NaN or infinite.
 *
 * @param slopes those with the full step
 * @param closer those with smaller steps, asked where the full step gives a slope that is not near
 * @param along the number of interest in an array of slopes, such as its product with a cotangent
 * @param near whether a slope agrees with what it is compared with
 */
export function smoothSlope(
  slopes: Slopes,
  f: Path,
  step: number,
  along: (slopes: Float64Array) => number,
  closer: CloserSlopes,
  near: (slope: number) => boolean,
): number | undefined {
  if (sidesAgree(slopes, along)) {
    const slope = along(slopes.central);
    if (near(slope) || Number.isNaN(slope)) return slope;
    const finer = closer.slope(along);
    return Number.isNaN(finer) ? slope : finer;
  }
  for (const fraction of refinements) {
    const finer = slopesAt(f, step * fraction);
    if (!sidesAgree(finer, along)) continue;
    const slope = along(finer.central);
    return near(slope) ? slope : new CloserSlopes(f, step * fraction).slope(along);
  }
  return [slopes.left, slopes.right].some((side) => Number.isNaN(along(side))) ? NaN : undefined;
}

function sidesAgree({ left, right }: Slopes, along: (slopes: Float64Array) => number): boolean {
  const [a, b] = [along(left), along(right)];
  return Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a), Math.abs(b));
}
