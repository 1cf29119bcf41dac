import type { FloorValue, TrackData, TrackInput } from "../track.js";
import { predictLastValue } from "./last-value.js";
import { meanSquaredError } from "./mean-squared-error.js";
import { predictMeanTarget } from "./mean-target.js";
import { chooseRidgePenalty, fitRidge, predictLinear, type Table } from "./ridge.js";

/**
 * The floors of a forecast, scored by mean squared error on the test part: `mean` (the mean training target),
 * `last value` (the last reading as it was read), and `ridge` on the whole window, whose penalty is chosen on a fifth
 * of the training series before it is fitted on all of them.
 */
export function standardFloors(
  data: TrackData,
  shape: { readonly input: TrackInput; readonly outputs: number },
): readonly FloorValue[] {
  const { train, test } = data;
  const { input, outputs } = shape;
  const table: Table = { x: train.x, y: train.y, width: input.steps * input.features, outputs };
  const ridge = fitRidge(table, chooseRidgePenalty(table));
  return [
    { name: "mean", value: meanSquaredError(predictMeanTarget(train.y, outputs, test.count), test.y) },
    { name: "last value", value: meanSquaredError(predictLastValue(test.x, input, outputs), test.y) },
    { name: "ridge", value: meanSquaredError(predictLinear(ridge, test.x), test.y) },
  ];
}
