import { recallFloors } from "./floors/recall-floors.js";
import { makeSeries, type DrawSeries, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/**
 * The numbers of the definition in docs/tracks.md. Tokens 0 … keys − 1 are keys, the next ones values, value v being class
 * v; the last token is the blank that stands where a value is asked for.
 */
export const constants = { keys: 64, values: 32, pairs: 32 } as const;

const { keys: KEYS, values: VALUES, pairs: PAIRS } = constants;
const BLANK = KEYS + VALUES;

/** Draws, in this order: the order of all keys, of which the first PAIRS are used; the values; which pair is asked for. */
const draw: DrawSeries = (rng, tokens, target) => {
  const keys = rng.permutation(KEYS);
  const values = rng.integers(PAIRS, 0, VALUES);
  const asked = rng.integer(0, PAIRS);

  for (let pair = 0; pair < PAIRS; pair++) {
    tokens[2 * pair] = keys[pair];
    tokens[2 * pair + 1] = KEYS + values[pair];
  }
  tokens[2 * PAIRS] = keys[asked];
  tokens[2 * PAIRS + 1] = BLANK;
  target[0] = values[asked];
};

const recipe: SeriesRecipe = {
  input: { kind: "tokens", steps: PAIRS + 1, features: 2, vocabulary: KEYS + VALUES + 1 },
  outputs: VALUES,
  loss: "cross-entropy",
  draw,
};

/** Associative recall: 32 pairs of key and value, then a key, whose value is to be named: `[33, 2]` tokens → 32 classes. */
export const recall: Track = {
  name: "recall",
  title: "associative recall",
  description:
    "32 pairs of a key (32 different ones of 64) and a value (of 32, drawn with replacement), one pair a position, key and " +
    "value as two tokens; then one of these keys with a blank in place of the value; to name: its value.",
  metric: "accuracy",
  direction: "higher",
  defaultModel: "transformer_tiny",
  input: recipe.input,
  outputs: recipe.outputs,
  loss: recipe.loss,
  make: (seed, sizes) => makeSeries(recipe, seed, sizes),
  floors: (data) => recallFloors(data, constants),
};
