import { expect, test } from "vitest";
import { NGram } from "../../../src/bench/tracks/language/n-gram.js";
import { alphabet, bookTokens } from "../../../src/bench/tracks/language/book.js";
import { language } from "../../../src/bench/tracks/language.js";
import { generator } from "../../../src/random/index.js";

const textOf = (tokens: ArrayLike<number>): string => Array.from(tokens, (token) => alphabet[token]).join("");

test("the book is the book, and each of its characters has its own token", () => {
  const book = bookTokens();
  expect(textOf(book.subarray(0, 37))).toBe("chapter . loomings. call me ishmael. ");
  expect(new Set(book)).toEqual(new Set(Array.from(alphabet, (_, token) => token)));
  expect(alphabet).toBe(` "'(),-.:;!?${"abcdefghijklmnopqrstuvwxyz"}`);
});

test("a series is a piece of its part's stretch of the book, and its targets are its own next characters", () => {
  const book = bookTokens();
  const bounds = { train: [0, 0.8], validation: [0.8, 0.9], test: [0.9, 1] } as const;
  const data = language.make(3, { train: 40, validation: 40, test: 40 });
  const rng = generator(3).stream("data");
  for (const part of ["train", "validation", "test"] as const) {
    const stream = rng.stream(part);
    const [from, to] = bounds[part].map((share) => Math.round(share * book.length)) as [number, number];
    for (let i = 0; i < 40; i++) {
      const start = stream.integer(from, to - 64);
      expect(start + 64).toBeLessThan(to);
      expect(data[part].x.subarray(64 * i, 64 * (i + 1))).toEqual(book.subarray(start, start + 64));
      expect(data[part].y.subarray(64 * i, 64 * (i + 1))).toEqual(book.subarray(start + 1, start + 65));
    }
  }
});

test("an n-gram gives the probabilities of Witten and Bell's formula, which add up to 1", () => {
  const grams = new NGram(2, 3);
  grams.count([0, 1, 0, 1, 2]);
  // after nothing in particular: 1, 0, 1, 2 were predicted; p0(c) = (n(c) + 3·1/3)/(4 + 3)
  const unigram = [2 / 7, 3 / 7, 2 / 7];
  // after 1 came 0 and 2, once each: p(c | 1) = (n + 2·p0(c))/(2 + 2)
  const afterOne = [(1 + 2 * unigram[0]!) / 4, (2 * unigram[1]!) / 4, (1 + 2 * unigram[2]!) / 4];
  for (const token of [0, 1, 2]) {
    expect(grams.probability([1, token], 1)).toBeCloseTo(afterOne[token]!, 14);
    // 2 was followed by nothing
    expect(grams.probability([2, token], 1)).toBeCloseTo(unigram[token]!, 14);
    expect(grams.probability([token], 0)).toBeCloseTo(unigram[token]!, 14);
  }
  expect(afterOne.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 14);
});

test("the floors are bits of the test part: fewer with each longer context, and a unigram's are its cross-entropy", () => {
  const data = language.make(0, { train: 300, test: 60 });
  const floors = Object.fromEntries(language.floors(data).map(({ name, value }) => [name, value]));
  expect(Object.keys(floors)).toEqual(["unigram", "bigram", "trigram"]);
  const counts = new Map<number, number>();
  for (const token of data.train.y) counts.set(token, (counts.get(token) ?? 0) + 1);
  const [total, different] = [data.train.y.length, counts.size];
  const bits = Array.from(
    data.test.y,
    (token) => -Math.log2(((counts.get(token) ?? 0) + different / 38) / (total + different)),
  );
  expect(floors.unigram).toBeCloseTo(bits.reduce((sum, one) => sum + one, 0) / bits.length, 10);
  expect(floors.trigram).toBeLessThan(floors.bigram!);
  expect(floors.bigram).toBeLessThan(floors.unigram!);
});
