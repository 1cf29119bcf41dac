import { NGram } from "../language/n-gram.js";
import type { FloorValue, Split, TrackData } from "../track.js";

const orders = { unigram: 1, bigram: 2, trigram: 3 } as const;

/**
 * The floors of a text, in bits per character on the test part: n-grams counted on the series of the training part, which see in a
 * series what a model sees, nothing before its beginning.
 */
export function languageFloors({ train, test }: TrackData, vocabulary: number): readonly FloorValue[] {
  return Object.entries(orders).map(([name, order]) => {
    const grams = new NGram(order, vocabulary);
    for (const text of textsOf(train)) grams.count(text);
    let bits = 0;
    for (const text of textsOf(test))
      for (let at = 1; at < text.length; at++) bits -= Math.log2(grams.probability(text, at));
    return { name, value: bits / test.y.length };
  });
}

/** Each series with the token after its last. */
function* textsOf({ count, x, y }: Split): Iterable<Int32Array> {
  const steps = x.length / count;
  for (let i = 0; i < count; i++)
    yield Int32Array.of(x[i * steps]!, ...y.subarray(i * steps, (i + 1) * steps));
}
