import { expect, test } from "vitest";
import { digitImages } from "../../../src/bench/tracks/digits/images.js";
import { digits } from "../../../src/bench/tracks/digits.js";
import { correctShare, logisticRegression } from "../../../src/bench/tracks/floors/logistic-regression.js";
import { generator } from "../../../src/random/index.js";

test("1797 images of all ten digits, levels in sixteenths; the first is the nought of the original's first line", () => {
  const images = digitImages();
  expect(images).toHaveLength(1797);
  expect(new Set(images.map(({ digit }) => digit))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
  expect(images.every(({ pixels }) => pixels.length === 64)).toBe(true);
  // The first line of digits.csv begins 0,0,5,13,9,1,0,0,0,0,13,15,10,15,5,0 and ends with class 0.
  expect([...images[0]!.pixels.subarray(0, 16)].map((value) => 16 * value)).toEqual([
    0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0,
  ]);
  expect(images[0]!.digit).toBe(0);
});

test("a series is an image of its part somewhere on the canvas, with noise of 0.05, drawn in the order of the definition", () => {
  const bounds = { train: [0, 1197], validation: [1197, 1397], test: [1397, 1797] } as const;
  const data = digits.make(2, { train: 20, validation: 20, test: 20 });
  for (const part of ["train", "validation", "test"] as const) {
    const rng = generator(2).stream("data").stream(part);
    for (let i = 0; i < 20; i++) {
      const { digit, pixels } = digitImages()[rng.integer(bounds[part][0], bounds[part][1])]!;
      const [above, left] = [rng.integer(0, 5), rng.integer(0, 5)];
      const expected = rng.normals(144).map((noise, at) => {
        const [row, column] = [Math.floor(at / 12) - above, (at % 12) - left];
        const inside = row >= 0 && row < 8 && column >= 0 && column < 8;
        return (inside ? pixels[8 * row + column]! : 0) + 0.05 * noise;
      });
      expect(data[part].y[i]).toBe(digit);
      const found = data[part].x.subarray(144 * i, 144 * (i + 1));
      expect(Math.max(...found.map((value, at) => Math.abs(value - expected[at]!)))).toBeLessThan(1e-6);
    }
  }
});

test("logistic regression separates what is linear, finds the bias, and guesses where nothing is to be learned", () => {
  const rng = generator(0).stream("clouds");
  const cloud = (count: number) => {
    const y = Int32Array.from({ length: count }, () => rng.integer(0, 3));
    const x = new Float32Array(2 * count);
    y.forEach((label, i) => x.set([4 + 2 * label + 0.2 * rng.normal(), 0.2 * rng.normal()], 2 * i));
    return { count, x, y };
  };
  const [train, held] = [cloud(300), cloud(300)];
  expect(correctShare(logisticRegression(train, 3), held)).toBe(1);
  const shuffled = { ...held, y: Int32Array.from(held.y, () => rng.integer(0, 3)) };
  expect(correctShare(logisticRegression(train, 3), shuffled)).toBeLessThan(0.5);
});

test("the floors: the commonest digit of the training part, and logistic regression well above it", () => {
  const data = digits.make(1, { train: 300, test: 200 });
  const counts = new Array<number>(10).fill(0);
  for (const digit of data.train.y) counts[digit]! += 1;
  const favourite = counts.indexOf(Math.max(...counts));
  const floors = Object.fromEntries(digits.floors(data).map(({ name, value }) => [name, value]));
  expect(Object.keys(floors)).toEqual(["most frequent", "logistic regression"]);
  expect(floors["most frequent"]).toBe([...data.test.y].filter((digit) => digit === favourite).length / 200);
  expect(floors["logistic regression"]).toBeGreaterThan(2 * floors["most frequent"]!);
});
