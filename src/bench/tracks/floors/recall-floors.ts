import { mostFrequent } from "./most-frequent.js";
import type { FloorValue, TrackData, TrackNumbers } from "../track.js";

/** How a series of the track is laid out: `pairs` positions of (key, value), values being tokens `keys` … `keys + values − 1`. */
export interface RecallLayout {
  readonly pairs: number;
  readonly keys: number;
  readonly values: number;
}

/**
 * The floors of associative recall, scored by accuracy on the test part.
 *
 * - `chance`: a value drawn evenly from all of them, 1/values: its expected accuracy, exactly.
 * - `most frequent`: the most frequent answer of the training part, the smallest of equally frequent ones.
 * - `value from the context`: one of the values that the series shows, drawn evenly from its pairs. Its expected accuracy,
 *   exactly: the mean over the series of the share of its pairs that show the answer. It is the floor that says something:
 *   it knows which values are there, and not which key they belong to.
 * - `most frequent in the context`: the value that most pairs of the series show, the smallest of equally frequent ones.
 */
export function recallFloors({ train, test }: TrackData, layout: RecallLayout): readonly FloorValue[] {
  const { values } = layout;
  const favourite = mostFrequent(countOf(train.y, values));
  let favourites = 0;
  let shares = 0;
  let commonest = 0;
  for (let i = 0; i < test.count; i++) {
    const answer = test.y[i];
    const shown = shownValues(test.x, i, layout);
    if (answer === favourite) favourites += 1;
    if (answer === mostFrequent(shown)) commonest += 1;
    shares += shown[answer] / layout.pairs;
  }
  return [
    { name: "chance", value: 1 / values },
    { name: "most frequent", value: favourites / test.count },
    { name: "value from the context", value: shares / test.count },
    { name: "most frequent in the context", value: commonest / test.count },
  ];
}

/** How often each value is shown by the pairs of series `i`. */
function shownValues(x: TrackNumbers, i: number, { pairs, keys, values }: RecallLayout): Int32Array {
  const counts = new Int32Array(values);
  const start = 2 * i * (pairs + 1);
  for (let pair = 0; pair < pairs; pair++) counts[x[start + 2 * pair + 1] - keys] += 1;
  return counts;
}

function countOf(classes: TrackNumbers, count: number): Int32Array {
  const counts = new Int32Array(count);
  for (const one of classes) counts[one] += 1;
  return counts;
}
