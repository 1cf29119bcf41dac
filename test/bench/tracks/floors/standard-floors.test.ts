import { expect, test } from "vitest";
import { tracks } from "../../../../src/bench/tracks/index.js";
import { standardFloors } from "../../../../src/bench/tracks/floors/standard-floors.js";

test("mean and last value of a hand-made forecast", () => {
  const shape = { input: { kind: "series", steps: 2, features: 2 }, outputs: 1 } as const;
  const train = { count: 2, x: Float32Array.of(0, 0, 1, 0, 0, 0, 3, 0), y: Float32Array.of(2, 4) };
  const held = { count: 2, x: Float32Array.of(9, 9, 1, 9, 9, 9, 5, 9), y: Float32Array.of(3, 4) };
  const [mean, last] = standardFloors(
    { train, validation: { count: 0, x: new Float32Array(), y: new Float32Array() }, test: held },
    shape,
  );
  expect(mean).toEqual({ name: "mean", value: 0.5 });
  expect(last).toEqual({ name: "last value", value: 2.5 });
});

/** Mean of each floor over seeds 0 … 7 at the protocol of the reports. */
function floorsAt(name: string, train: number, held: number): Record<string, number> {
  const track = tracks.get(name)!;
  const means: Record<string, number> = {};
  for (let seed = 0; seed < 8; seed++) {
    for (const floor of track.floors(track.make(seed, { train, test: held }))) {
      means[floor.name] = (means[floor.name] ?? 0) + floor.value / 8;
    }
  }
  return means;
}

test("dynamics: the linear floor is far below the mean, as the definition's prototype had it", () => {
  const floors = floorsAt("dynamics", 400, 400);
  expect(floors["ridge"]).toBeGreaterThan(0.012);
  expect(floors["ridge"]).toBeLessThan(0.015);
  expect(floors["last value"]).toBeGreaterThan(0.62);
  expect(floors["last value"]).toBeLessThan(0.78);
  expect(floors["mean"]).toBeGreaterThan(0.53);
  expect(floors["mean"]).toBeLessThan(0.63);
});

test("sequence: the linear floor lies between zero and the mean, the last value far above", () => {
  const floors = floorsAt("sequence", 200, 100);
  expect(floors["ridge"]).toBeGreaterThan(0.38);
  expect(floors["ridge"]).toBeLessThan(0.55);
  expect(floors["last value"]).toBeGreaterThan(2.4);
  expect(floors["last value"]).toBeLessThan(3);
  expect(floors["mean"]).toBeGreaterThan(0.95);
  expect(floors["mean"]).toBeLessThan(1.3);
});
