import type { FloorValue, TrackData } from "../track.js";
import { correctShare, logisticRegression } from "./logistic-regression.js";
import { mostFrequent } from "./most-frequent.js";

/** The floors of the digits, by accuracy on the test part: the most frequent class of the training part, and logistic regression. */
export function digitFloors({ train, test }: TrackData, classes: number): readonly FloorValue[] {
  const counts = new Int32Array(classes);
  for (const digit of train.y) counts[digit] += 1;
  const favourite = mostFrequent(counts);
  return [
    { name: "most frequent", value: correctShare({ classOf: () => favourite }, test) },
    { name: "logistic regression", value: correctShare(logisticRegression(train, classes), test) },
  ];
}
