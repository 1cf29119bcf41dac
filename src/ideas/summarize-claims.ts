import type { Claim, Json, MathCheck, Signature } from "./idea.js";

/**
 * The summary of an idea that has none of its own. It is confirmed when every check passed and, on every trained model, every
 * claim held and every control was refuted: strict, since it allows no sampled claim to miss once. `predicted` and `observed` are
 * those of the first claim, `observed` as a mean over the models; `claims` has all of them.
 */
export function summarizeClaims(
  checks: readonly MathCheck[],
  signatures: readonly { readonly seed: number; readonly signature: Signature }[],
): {
  readonly mechanism: { readonly [key: string]: Json };
  readonly mathematics: { readonly [key: string]: Json };
  readonly confirmed: boolean;
} {
  const passed = checks.every((check) => check.passed);
  const all = signatures.map(({ signature }) => signature);
  const confirmed = passed && all.length > 0 && all.every((signature) => signature.confirmed);
  const quantities = [...new Set(all.flatMap(({ claims }) => claims.map(({ quantity }) => quantity)))];
  const claims = quantities.map((quantity) =>
    summarizeClaim(
      all.flatMap((signature) => signature.claims.filter((claim) => claim.quantity === quantity)),
    ),
  );
  const first = claims[0];
  return {
    mechanism: {
      predicted: first?.predicted ?? null,
      observed: first?.observed ?? null,
      confirmed,
      trained_model: all.some((signature) => signature.claims.some(({ where }) => where === "trained model")),
      claims,
    },
    mathematics: { passed },
    confirmed,
  };
}

function summarizeClaim(claims: readonly Claim[]) {
  const { quantity, statement, predicted } = claims[0]!;
  const mean = (of: (claim: Claim) => number): number =>
    claims.reduce((sum, claim) => sum + of(claim), 0) / claims.length;
  return {
    quantity,
    statement,
    predicted,
    observed: mean(({ observed }) => observed),
    control: mean(({ control }) => control.observed),
    models: claims.length,
    held: claims.filter(({ held }) => held).length,
    refuted: claims.filter(({ control }) => control.refuted).length,
  };
}
