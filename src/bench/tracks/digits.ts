import { digitImages, side } from "./digits/images.js";
import { digitFloors } from "./floors/digit-floors.js";
import { makeParts, type PartName, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/** The numbers of the definition in docs/tracks.md: the canvas, its noise, and the images of each part, from the first up to the last. */
export const constants = {
  canvas: 12,
  noise: 0.05,
  train: [0, 1197],
  validation: [1197, 1397],
  test: [1397, 1797],
} as const;

const { canvas: CANVAS, noise: NOISE } = constants;
const CLASSES = 10;

/** Draws, in this order: the image; the empty rows above it, the empty columns left of it; the noise of all pixels. */
const recipeOf = (part: PartName): SeriesRecipe => ({
  input: { kind: "series", steps: CANVAS, features: CANVAS },
  outputs: CLASSES,
  loss: "cross-entropy",
  draw(rng, readings, target) {
    const [from, to] = constants[part];
    const { digit, pixels } = digitImages()[rng.integer(from, to)];
    const above = rng.integer(0, CANVAS - side + 1);
    const left = rng.integer(0, CANVAS - side + 1);
    for (let i = 0; i < readings.length; i++) readings[i] = NOISE * rng.normal();
    for (let row = 0; row < side; row++)
      for (let column = 0; column < side; column++)
        readings[(above + row) * CANVAS + left + column] += pixels[row * side + column];
    target[0] = digit;
  },
});

const recipes = { train: recipeOf("train"), validation: recipeOf("validation"), test: recipeOf("test") };

/** Handwritten digits, read row by row: `[12, 12]` → 10 classes. */
export const digits: Track = {
  name: "digits",
  title: "handwritten digits",
  description:
    "8×8 images of handwritten digits, each somewhere on a 12×12 canvas, with N(0, 0.05²) noise, read row by row; to name: the digit. " +
    "The images of the test part are of other people than most of those of the training part.",
  metric: "accuracy",
  direction: "higher",
  defaultModel: "rnn_small",
  input: recipes.train.input,
  outputs: CLASSES,
  loss: "cross-entropy",
  make: (seed, sizes) => makeParts(recipes, seed, sizes),
  floors: (data) => digitFloors(data, CLASSES),
};
