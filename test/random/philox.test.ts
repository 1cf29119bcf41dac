import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countOn, philox4x32 } from "../../src/random/philox.js";

const word = fc.integer({ min: 0, max: 0xffffffff });

function philoxByBigInt(counter: readonly number[], key: readonly number[]): number[] {
  let [c0, c1, c2, c3] = counter.map(BigInt);
  let [k0, k1] = key.map(BigInt);
  const mask = 0xffffffffn;
  for (let round = 0; round < 10; round++) {
    const p0 = 0xd2511f53n * c0;
    const p1 = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(p1 >> 32n) ^ c1 ^ k0, p1 & mask, (p0 >> 32n) ^ c3 ^ k1, p0 & mask];
    k0 = (k0 + 0x9e3779b9n) & mask;
    k1 = (k1 + 0xbb67ae85n) & mask;
  }
  return [c0, c1, c2, c3].map(Number);
}

function philox(counter: readonly number[], key: readonly number[]): number[] {
  const out = new Uint32Array(4);
  philox4x32(Uint32Array.from(counter), Uint32Array.from(key), out);
  return [...out];
}

describe("philox4x32", () => {
  const ones = 0xffffffff;
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [ones, ones, ones, ones],
      [ones, ones],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])("gives the known answer for counter %j", (counter, key, expected) => {
    expect(philox(counter, key)).toEqual(expected);
  });

  it("agrees with whole-number arithmetic", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 6, maxLength: 6 }), (words) => {
        expect(philox(words.slice(0, 4), words.slice(4))).toEqual(
          philoxByBigInt(words.slice(0, 4), words.slice(4)),
        );
      }),
    );
  });

  it("may write over its counter", () => {
    const counter = Uint32Array.of(1, 2, 3, 4);
    philox4x32(counter, Uint32Array.of(5, 6), counter);
    expect([...counter]).toEqual(philox([1, 2, 3, 4], [5, 6]));
  });
});

describe("countOn", () => {
  it.each([
    [
      [0, 0, 7, 8],
      [1, 0, 7, 8],
    ],
    [
      [0xffffffff, 0, 7, 8],
      [0, 1, 7, 8],
    ],
    [
      [0xffffffff, 0xffffffff, 7, 8],
      [0, 0, 7, 8],
    ],
  ])("takes %j to %j", (before, after) => {
    const counter = Uint32Array.from(before);
    countOn(counter);
    expect([...counter]).toEqual(after);
  });
});
