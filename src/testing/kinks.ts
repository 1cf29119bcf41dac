import { slopesAt, type Path, type Slopes } from "./differences.js";

/** Steps that are tried, as fractions of the step of the differences. */
const refinements = [0.1, 0.01] as const;

/**
 * The derivative by differences, or undefined at a kink. Where the derivatives from both sides agree the function is smooth, and the
 * differences count. Where they do not, the differences are taken closer to the point; where the sides never come together there
 * is no derivative to compare with. NaN where a value beside the point is NaN or infinite.
 *
 * @param slopes those with the full step
 * @param along the number of interest in an array of slopes, such as its product with a cotangent
 */
export function smoothSlope(
  slopes: Slopes,
  f: Path,
  step: number,
  along: (slopes: Float64Array) => number,
): number | undefined {
  if (sidesAgree(slopes, along)) return along(slopes.central);
  for (const fraction of refinements) {
    const closer = slopesAt(f, step * fraction);
    if (sidesAgree(closer, along)) return along(closer.central);
  }
  return [slopes.left, slopes.right].some((side) => Number.isNaN(along(side))) ? NaN : undefined;
}

function sidesAgree({ left, right }: Slopes, along: (slopes: Float64Array) => number): boolean {
  const [a, b] = [along(left), along(right)];
  return Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a), Math.abs(b));
}
