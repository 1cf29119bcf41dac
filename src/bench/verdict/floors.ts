/** Whether a run says anything: its tuned baseline against the floors. */
export interface Informativeness {
  readonly informative: boolean;
  /** The floors that the tuned baseline does not beat, as `name mean`. */
  readonly unbeaten: readonly string[];
}

/**
 * Compares the tuned baseline's mean with the mean of every floor (a predictor without a network, on the same
 * data). A floor that the baseline does not strictly beat makes the run uninformative; so does a baseline
 * without a finite mean, and a run without floors.
 */
export function informativeness(
  baselineMean: number,
  floors: readonly { readonly name: string; readonly mean: number }[],
  direction: "lower" | "higher",
): Informativeness {
  if (floors.length === 0) return { informative: false, unbeaten: ["no floor was measured"] };
  const beats = (floor: number): boolean =>
    Number.isFinite(baselineMean) && (direction === "lower" ? baselineMean < floor : baselineMean > floor);
  const unbeaten = floors.filter(({ mean }) => Number.isFinite(mean) && !beats(mean));
  return {
    informative: unbeaten.length === 0 && Number.isFinite(baselineMean),
    unbeaten: unbeaten.map(({ name, mean }) => `${name} ${mean.toPrecision(6)}`),
  };
}
