import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { scope, tensor } from "../../../src/autograd/index.js";
import {
  isTemporary,
  LastingStorage,
  liesInMemory,
  memory,
  NDArray,
  poisonArena,
} from "../../../src/tensor/index.js";
import { lastingRoom } from "../../../src/tensor/memory/lasting-storage.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const room = (): number => lastingRoom().reduce((a, b) => a + b, 0);

/** Collects what nobody holds until there is so much room, or gives up after half a second. */
async function collectUntil(bytes: number): Promise<void> {
  for (let tries = 0; tries < 50 && room() < bytes; tries++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// Tests that share this worker may have left all of it to models that nobody holds any more.
beforeAll(() => collectUntil(2 ** 23));

describe("lasting storage", () => {
  test("lies in linear memory, below what scopes take back, and keeps what it holds", () => {
    const storage = new LastingStorage("float32", 1000);
    storage.elements.fill(3);
    expect(liesInMemory(storage.elements)).toBe(true);
    expect(isTemporary(storage.elements)).toBe(false);
    expect(storage.elements.byteOffset + 4000).toBeLessThanOrEqual(memory().start);
    poisonArena(true);
    try {
      const array = scope(() => {
        tensor(new Float32Array(5000)).add(1);
        return new NDArray([1000], "float32", storage.elements, storage);
      });
      expect(array.data).toEqual(new Float32Array(1000).fill(3));
    } finally {
      poisonArena(false);
    }
  });

  test("of two does not overlap, and begins at a cache line", () => {
    const pieces = [3, 1, 100, 17].map((length) => new LastingStorage("float64", length));
    pieces.forEach(({ elements }, i) => elements.fill(i + 1));
    pieces.forEach(({ elements }, i) => {
      expect(elements.every((x) => x === i + 1)).toBe(true);
      expect(elements.byteOffset % 64).toBe(0);
    });
  });

  test("comes back when nobody holds it, and is zero when it is given again", async () => {
    const length = 250_000;
    const before = room();
    const use = (): void => {
      for (let i = 0; i < 4; i++) new LastingStorage("float32", length).elements.fill(NaN);
    };
    use();
    expect(room()).toBe(before - 16 * length);
    await collectUntil(before);
    expect(room()).toBeGreaterThanOrEqual(before);
    expect(new LastingStorage("float32", length).elements.every((x) => x === 0)).toBe(true);
  });

  test("is on the heap when there is no room", () => {
    const before = room();
    const { elements } = new LastingStorage("float64", before / 8 + 1);
    expect(liesInMemory(elements)).toBe(false);
    expect(room()).toBe(before);
    expect(liesInMemory(new LastingStorage("float32", 0).elements)).toBe(false);
  });
});
