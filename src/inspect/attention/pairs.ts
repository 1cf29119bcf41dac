import type { Tensor } from "../../autograd/index.js";
import type { PerHead, PerPair } from "./attention-map.js";

/** How many there are of what. */
export interface PairCounts {
  readonly examples: number;
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
}

/** The counts of weights `[batch, heads, queries, keys]`, of which the first `most` examples are shown. */
export function countsOf({ shape }: Pick<Tensor, "shape">, most: number): PairCounts {
  const [batch, heads, queries, keys] = shape as [number, number, number, number];
  return { examples: Math.min(batch, most), batch, heads, queries, keys };
}

/** The elements of a tensor `[batch, heads, queries, keys]` as nested lists, of the first examples. */
export function perPair<T>(x: Tensor, counts: PairCounts, as: (value: number) => T): PerPair<T> {
  const { examples, heads, queries, keys } = counts;
  const { data } = x.array;
  const list = <R>(length: number, make: (at: number) => R): R[] =>
    Array.from({ length }, (_, at) => make(at));
  return list(examples, (b) =>
    list(heads, (h) =>
      list(queries, (q) => list(keys, (k) => as(data[((b * heads + h) * queries + q) * keys + k]!))),
    ),
  );
}

/** What is known of each problem (example and head), of the first examples. */
export function perHead<T>(
  { examples, heads }: PairCounts,
  of: (problem: number) => readonly T[],
): PerHead<T> {
  return Array.from({ length: examples }, (_, b) =>
    Array.from({ length: heads }, (__, h) => of(b * heads + h)),
  );
}

/** A tensor `[…, rows, columns]` as `[batch, heads, rows, columns]`: what is missing is 1, what is too much belongs to the batch. */
export function asFour(x: Tensor): Tensor {
  const [rows, columns] = x.shape.slice(-2) as [number, number];
  const leading = x.shape.slice(0, -2);
  const [heads] = leading.length > 1 ? leading.slice(-1) : [1];
  return x.reshape([-1, heads!, rows, columns]);
}
