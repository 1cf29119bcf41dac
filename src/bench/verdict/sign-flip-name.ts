/** How a sentence calls a sign-flip p: only a count of every sign pattern is exact. */
export function signFlipName(method: "exact" | "monte-carlo"): string {
  return method === "exact" ? "exact sign-flip" : "Monte Carlo sign-flip";
}
