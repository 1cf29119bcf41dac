import { checkList } from "./sample.js";
import { fail, formatGiven } from "../errors/index.js";
import type { Sample } from "./sample.js";

/**
 * Holm's adjusted p-values, in the order given: for the sorted p₍ᵢ₎, max over j ≤ i of min(1, (k − j + 1)·p₍ⱼ₎). Rejecting
 * where they are ≤ alpha bounds the probability of any false rejection by alpha, whatever the dependence.
 *
 * Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
 *
 * @throws E_VALUE for a p outside [0, 1]
 */
export function holm(ps: Sample): number[] {
  const order = ascending(ps);
  const adjusted = new Array<number>(ps.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * ps[index]));
    adjusted[index] = largest;
  });
  return adjusted;
}

/**
 * Benjamini and Hochberg's adjusted p-values, in the order given: for the sorted p₍ᵢ₎, min over j ≥ i of
 * min(1, k·p₍ⱼ₎/j). Rejecting where they are ≤ alpha bounds the expected part of false rejections by alpha for
 * independent or positively dependent tests.
 *
 * Source: Benjamini and Hochberg, "Controlling the false discovery rate", JRSS B 57 (1995).
 *
 * @throws E_VALUE for a p outside [0, 1]
 */
export function benjaminiHochberg(ps: Sample): number[] {
  const order = ascending(ps);
  const adjusted = new Array<number>(ps.length);
  let smallest = 1;
  for (let rank = order.length; rank >= 1; rank--) {
    const index = order[rank - 1];
    smallest = Math.min(smallest, (ps.length * ps[index]) / rank);
    adjusted[index] = smallest;
  }
  return adjusted;
}

function ascending(ps: Sample): number[] {
  checkList(ps, "a correction for several tests");
  for (let i = 0; i < ps.length; i++) {
    if (!(typeof ps[i] === "number" && ps[i] >= 0 && ps[i] <= 1))
      fail("E_VALUE", `a p-value must lie in [0, 1]; value ${i} is ${formatGiven(ps[i])}`);
  }
  return Array.from(ps, (_, index) => index).sort((a, b) => ps[a] - ps[b]);
}
