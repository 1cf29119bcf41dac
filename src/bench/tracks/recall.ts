import { recallFloors } from "./floors/recall-floors.js";
import { makeSeries, type DrawSeries, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/** Tokens 0 … KEYS − 1 are keys. */
const KEYS = 64;
/** Tokens KEYS … KEYS + VALUES − 1 are values; value v is class v. */
const VALUES = 32;
/** Stands where the value of the last key is asked for. */
const BLANK = KEYS + VALUES;
const PAIRS = 32;

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
  floors: (data) => recallFloors(data, { pairs: PAIRS, keys: KEYS, values: VALUES }),
};
