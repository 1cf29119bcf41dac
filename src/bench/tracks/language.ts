import { languageFloors } from "./floors/language-floors.js";
import { alphabet, bookTokens } from "./language/book.js";
import { makeParts, type PartName, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/** The numbers of the definition in docs/tracks.md: what is read, and where each part's stretch of the book begins and ends. */
export const constants = {
  characters: 64,
  train: [0, 0.8],
  validation: [0.8, 0.9],
  test: [0.9, 1],
} as const;

const { characters: STEPS } = constants;
const VOCABULARY = alphabet.length;

/** Draws the place of the first character, evenly from all in the part's stretch of the book that leave room for the last. */
const recipeOf = (part: PartName): SeriesRecipe => ({
  input: { kind: "text", steps: STEPS, features: 1, vocabulary: VOCABULARY },
  outputs: VOCABULARY,
  loss: "cross-entropy",
  draw(rng, characters, following) {
    const book = bookTokens();
    const [from, to] = constants[part].map((share) => Math.round(share * book.length)) as [number, number];
    const start = rng.integer(from, to - STEPS);
    characters.set(book.subarray(start, start + STEPS));
    following.set(book.subarray(start + 1, start + STEPS + 1));
  },
});

const recipes = { train: recipeOf("train"), validation: recipeOf("validation"), test: recipeOf("test") };

/** Characters of a book, each to be predicted from those before it: `[64, 1]` tokens → 38 classes at each position. */
export const language: Track = {
  name: "language",
  title: "characters of a book",
  description:
    "64 characters of Herman Melville's Moby-Dick in small letters, 38 different ones; to predict after each of them: the next. " +
    "Training series are from the first eight tenths of the book, validation and test series from the two tenths after them.",
  metric: "bits per character",
  direction: "lower",
  defaultModel: "transformer_tiny",
  input: recipes.train.input,
  outputs: VOCABULARY,
  loss: "cross-entropy",
  make: (seed, sizes) => makeParts(recipes, seed, sizes),
  floors: (data) => languageFloors(data, VOCABULARY),
};
