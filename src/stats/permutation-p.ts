import { fail } from "../errors/index.js";
import { incompleteBeta } from "./incomplete-beta.js";
import { checkWhole } from "./sample.js";

/** Up to this many patterns their exact p-values are summed over; above, an integral takes the place of the sum. */
const MOST_SUMMED = 10_000;

/**
 * The p-value of a permutation test whose m patterns were drawn with replacement from `total` equally likely ones, b of
 * them at least as extreme as the data: the mean of P(Binomial(m, k/total) ≤ b) over k = 1 … total. It is a little below
 * (b+1)/(m+1), which it approaches as total grows: above 10,000 it is (b+1)/(m+1) − ∫ P(Binomial(m, q) ≤ b) dq over q
 * from 0 to 1/(2·total).
 *
 * Source: Phipson and Smyth, "Permutation p-values should never be zero", Statistical Applications in Genetics and
 * Molecular Biology 9 (2010), section 4.
 *
 * @throws E_VALUE unless 0 ≤ extreme ≤ draws, draws ≥ 1 and total ≥ 1 are whole numbers
 */
export function permutationP(extreme: number, draws: number, total: number): number {
  checkWhole(draws, "the number of draws", 1);
  checkWhole(total, "the number of patterns", 1);
  checkWhole(extreme, "the number of extreme patterns", 0);
  if (extreme > draws) {
    fail("E_VALUE", `no more patterns can be extreme than were drawn; found ${extreme} of ${draws}`);
  }
  if (extreme === draws) return 1;
  if (total <= MOST_SUMMED) {
    let sum = 0;
    for (let k = 1; k <= total; k++) {
      sum += incompleteBeta(1 - k / total, k / total, draws - extreme, extreme + 1);
    }
    return sum / total;
  }
  return (extreme + 1) / (draws + 1) - integratedBinomial(extreme, draws, 1 / (2 * total));
}

/** ∫ P(Binomial(m, q) ≤ b) dq over [0, end] = Σ I_end(j+1, m−j+1)/(m+1), j = 0 … b; the terms fall. */
function integratedBinomial(extreme: number, draws: number, end: number): number {
  let sum = 0;
  for (let j = 0; j <= extreme; j++) {
    const term = incompleteBeta(end, 1 - end, j + 1, draws - j + 1) / (draws + 1);
    sum += term;
    if (term < 1e-17 * sum) break;
  }
  return sum;
}
