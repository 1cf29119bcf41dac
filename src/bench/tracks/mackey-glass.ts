/** Euler step in units of time. */
export const STEP = 0.25;

/** Steps in one unit of time. */
export const STEPS_PER_UNIT = 4;

/** x¹⁰ by multiplications, which every machine rounds alike. */
function tenthPower(x: number): number {
  const x2 = x * x;
  const x4 = x2 * x2;
  return x4 * x4 * x2;
}

/** The right-hand side 0.2 d/(1 + d¹⁰) − 0.1 x, with d the value a delay ago. */
export function mackeyGlassRate(x: number, delayed: number): number {
  return (0.2 * delayed) / (1 + tenthPower(delayed)) - 0.1 * x;
}

/**
 * The Mackey-Glass delay equation x' = 0.2 x(t−τ)/(1 + x(t−τ)¹⁰) − 0.1 x by Euler steps of 0.25 time units, from a
 * constant history.
 *
 * @param delay τ in whole units of time
 * @param history the value at every t ≤ 0
 * @param steps number of Euler steps
 * @returns the values after 0, 1, …, `steps` steps
 */
export function mackeyGlass(delay: number, history: number, steps: number): Float64Array {
  const lag = delay * STEPS_PER_UNIT;
  const values = new Float64Array(steps + 1);
  values[0] = history;
  for (let i = 0; i < steps; i++) {
    const delayed = i < lag ? history : values[i - lag];
    values[i + 1] = values[i] + STEP * mackeyGlassRate(values[i], delayed);
  }
  return values;
}
