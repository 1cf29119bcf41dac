import type { Prefix } from "./prefix.js";

/** x ← L⁻¹ x, or L⁻ᵀ x with `transpose`, for the first `rank` rows of x `[rank, columns]`, in place. */
export function solveLower(
  { rank, lower, plan }: Pick<Prefix, "rank" | "lower" | "plan">,
  x: Float64Array,
  columns: number,
  transpose: boolean,
): void {
  const capacity = plan.rank;
  for (let step = 0; step < rank; step++) {
    const t = transpose ? rank - 1 - step : step;
    const [from, to] = transpose ? [t + 1, rank] : [0, t];
    for (let s = from; s < to; s++) {
      const scale = lower[transpose ? s * capacity + t : t * capacity + s]!;
      for (let c = 0; c < columns; c++)
        x[t * columns + c] = x[t * columns + c]! - scale * x[s * columns + c]!;
    }
    const pivot = lower[t * capacity + t]!;
    for (let c = 0; c < columns; c++) x[t * columns + c] = x[t * columns + c]! / pivot;
  }
}
