import type { FurtherMetrics } from "../track.js";
import { advanceBlobs, blobMoments, type Blob, type BlobLaw, type Moments } from "./colliding-blobs.js";
import { CELLS, gridMoments } from "./velocity-grid.js";

/** Frames that a forecast is rolled out for. */
export const ROLL_OUT = 200;
/** Series that are rolled out: the first ones of the test part, or all of a smaller part. */
export const ROLLED_SERIES = 32;

/** A series as it was read, with the blobs at its last reading. */
export interface RolledSeries {
  readonly frames: ArrayLike<number>;
  readonly blobs: Blob[];
  readonly law: BlobLaw;
}

const names = ["mass drift", "momentum 1 drift", "momentum 2 drift", "energy drift"] as const;

/** The moments in the order of `names`, and what each is measured in: mass, √(mass·energy) twice, energy. */
const listed = ({ mass, momentum1, momentum2, energy }: Moments): readonly number[] => [
  mass,
  momentum1,
  momentum2,
  energy,
];
const scales = ({ mass, energy }: Moments): readonly number[] => {
  const momentum = Math.sqrt(mass * energy);
  return [mass, momentum, momentum, energy];
};

/**
 * The drift of the four moments in roll-outs: the forecast's own frames take the place of the readings, the oldest
 * falling out of the window, for 200 frames. The drift of a moment is √(mean of ((predicted − true)/scale)²) over all
 * frames and series, the scale of a series being its mass, √(mass·energy) for either momentum, and its energy: no units.
 *
 * @param series the first `count` series of the test part of a seed, at its last reading
 */
export function momentDrift(
  steps: number,
  series: (seed: number, count: number) => readonly RolledSeries[],
): FurtherMetrics {
  return {
    metrics: names.map((name) => ({
      name,
      unit: "",
      direction: "lower",
      description: `root mean square error of the ${name.replace(" drift", "")} over roll-outs of ${ROLL_OUT} frames, as a share of its scale`,
    })),
    measure(forecast, seed, testSize) {
      const rolled = series(seed, Math.min(ROLLED_SERIES, testSize));
      const count = rolled.length;
      const width = steps * CELLS;
      let window = new Float32Array(count * width);
      rolled.forEach(({ frames }, i) => window.set(frames, i * width));
      const totals = new Float64Array(names.length);
      for (let frame = 0; frame < ROLL_OUT; frame++) {
        const predicted = forecast(window, count);
        const next = new Float32Array(window.length);
        rolled.forEach(({ blobs, law }, i) => {
          advanceBlobs(blobs, law);
          const truth = blobMoments(blobs);
          const [expected, found, scale] = [
            listed(truth),
            listed(gridMoments(predicted, i * CELLS)),
            scales(truth),
          ];
          for (let k = 0; k < totals.length; k++) totals[k] += ((found[k] - expected[k]) / scale[k]) ** 2;
          next.set(window.subarray(i * width + CELLS, (i + 1) * width), i * width);
          next.set(predicted.subarray(i * CELLS, (i + 1) * CELLS), (i + 1) * width - CELLS);
        });
        window = next;
      }
      return Object.fromEntries(names.map((name, k) => [name, Math.sqrt(totals[k] / (ROLL_OUT * count))]));
    },
  };
}
