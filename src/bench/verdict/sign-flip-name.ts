/** How a sentence calls a p: only a count of every sign pattern is exact, and only an e-process may be looked at early. */
export function signFlipName(method: "exact" | "monte-carlo" | "e-process"): string {
  if (method === "e-process") return "anytime-valid e-process";
  return method === "exact" ? "exact sign-flip" : "Monte Carlo sign-flip";
}
