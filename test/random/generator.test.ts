import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seedIdentity } from "../../src/random/identity.js";
import { generator } from "../../src/random/index.js";
import { philox4x32 } from "../../src/random/philox.js";

function words(rng: ReturnType<typeof generator>, count = 8): number[] {
  return Array.from({ length: count }, () => rng.uint32());
}

const seeds = fc.oneof(fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 1n << 200n }), fc.string());

describe("generator", () => {
  it("gives the pinned bits", () => {
    const rng = generator(0);
    expect([rng.uint32(), rng.uint32(), rng.uniform()]).toEqual([42451293, 2230799446, 0.8792088003682487]);
    expect([...generator(0).normals(4)]).toEqual([
      0.8424352015204059, 0.2086177995960111, -1.5910882529511239, -0.5459594654434485,
    ]);
    const nested = generator("seed").stream("data").stream("x");
    expect([...nested.integers(8, -5, 5)]).toEqual([1, 0, -3, 3, -4, 3, -4, -5]);
    expect([...generator(2n ** 70n).permutation(8)]).toEqual([2, 5, 4, 3, 1, 6, 7, 0]);
  });

  it("gives the blocks of its identity one after another, however far ahead it draws them", () => {
    const [k0, k1, c2, c3] = seedIdentity("far");
    const wanted = Array.from({ length: 300 }, (_, block) => {
      const out = new Uint32Array(4);
      philox4x32(Uint32Array.of(block, 0, c2, c3), Uint32Array.of(k0, k1), out);
      return [...out];
    }).flat();
    expect(words(generator("far"), wanted.length)).toEqual(wanted);
  });

  it("repeats from an equal seed, and a bigint is the number of its value", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(words(generator(seed))).toEqual(words(generator(seed)));
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeNat(), (seed) => {
        expect(words(generator(BigInt(seed)))).toEqual(words(generator(seed)));
      }),
    );
  });

  it("differs between unequal seeds, and between a number and its text", () => {
    fc.assert(
      fc.property(seeds, seeds, (a, b) => {
        fc.pre(typeof a === "string" || typeof b === "string" ? a !== b : BigInt(a) !== BigInt(b));
        expect(words(generator(a), 4)).not.toEqual(words(generator(b), 4));
      }),
    );
    expect(words(generator(1))).not.toEqual(words(generator("1")));
  });

  it.each([-1, 1.5, NaN, Infinity, 2 ** 53, -3n, undefined, null])("refuses the seed %s", (seed) => {
    expect(() => generator(seed as number)).toThrow("E_VALUE");
  });
});

describe("stream", () => {
  it("does not depend on what was drawn from the parent", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.string(), fc.nat(50), (seed, name, drawn) => {
        const rng = generator(seed);
        const before = words(rng.stream(name));
        rng.normals(drawn);
        expect(words(rng.stream(name))).toEqual(before);
      }),
    );
  });

  it("differs between names, parents and nestings", () => {
    const paths = [
      [],
      [""],
      ["a"],
      ["b"],
      ["ab"],
      ["a", "b"],
      ["a", ""],
      ["", "a"],
      ["a\0"],
      ["a\0\0"],
      ["\ud800"],
      ["\ud801"],
      ["\ufffd"],
      ["init"],
      ["data"],
    ];
    const firsts = [0, 1].flatMap((seed) =>
      paths.map((path) => words(path.reduce((rng, name) => rng.stream(name), generator(seed))).join()),
    );
    expect(new Set(firsts).size).toBe(firsts.length);
  });

  it("is uncorrelated with its parent and its sibling", () => {
    const rng = generator(3);
    const count = 20_000;
    const [parent, one, two] = [rng, rng.stream("1"), rng.stream("2")].map((each) => each.normals(count));
    for (const [x, y] of [
      [parent, one],
      [one, two],
    ]) {
      const correlation = x.reduce((sum, value, i) => sum + value * y[i], 0) / count;
      expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(count));
    }
  });

  it("refuses a name that is no string", () => {
    expect(() => generator(0).stream(1 as unknown as string)).toThrow("E_VALUE");
  });
});

describe("draws", () => {
  it("spread uniforms evenly (chi-squared over 100 bins)", () => {
    const bins = new Float64Array(100);
    for (const x of generator("uniform").uniforms(100_000)) bins[Math.floor(x * 100)]++;
    const statistic = bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(statistic).toBeGreaterThan(57);
    expect(statistic).toBeLessThan(155);
  });

  it("use all 53 bits of a uniform", () => {
    const rng = generator(11);
    const low = Array.from({ length: 4000 }, () => (rng.uniform() * 2 ** 53) % 2);
    expect(low.every(Number.isInteger)).toBe(true);
    expect(Math.abs(low.reduce((sum, bit) => sum + bit, 0) - 2000)).toBeLessThan(130);
  });

  it("have the moments and tails of N(0, 1)", () => {
    const count = 200_000;
    const x = generator("normal").normals(count);
    const moment = (power: number): number => x.reduce((sum, value) => sum + value ** power, 0) / count;
    expect(Math.abs(moment(1))).toBeLessThan(4 / Math.sqrt(count));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
    expect(Math.abs(moment(3))).toBeLessThan(4 * Math.sqrt(15 / count));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(4 * Math.sqrt(96 / count));
    const beyond = x.filter((value) => Math.abs(value) > 1.959963984540054).length / count;
    expect(Math.abs(beyond - 0.05)).toBeLessThan(4 * Math.sqrt((0.05 * 0.95) / count));
  });

  it("give arrays what single calls give", () => {
    const [one, many] = [generator(8), generator(8)];
    expect([...many.normals(7, 2, 3)]).toEqual(Array.from({ length: 7 }, () => 2 + 3 * one.normal()));
    expect([...many.uniforms(5, -1, 3)]).toEqual(Array.from({ length: 5 }, () => -1 + 4 * one.uniform()));
    expect([...many.integers(9, -2, 7)]).toEqual(Array.from({ length: 9 }, () => one.integer(-2, 7)));
  });

  it("keep integers inside their bounds, however far apart", () => {
    const bound = fc.integer({ min: -(2 ** 52) + 1, max: 2 ** 52 });
    fc.assert(
      fc.property(fc.maxSafeNat(), bound, bound, (seed, a, b) => {
        fc.pre(a !== b);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const x = generator(seed).integer(low, high);
        expect(Number.isSafeInteger(x) && x >= low && x < high).toBe(true);
      }),
    );
    expect(generator(0).integer(5, 6)).toBe(5);
  });

  it("make each integer equally likely, also where 2^32 is no multiple of the range", () => {
    const range = 3 * 2 ** 30;
    let lowHalf = 0;
    for (let i = 0, rng = generator(4); i < 30_000; i++) if (rng.integer(0, range) < range / 3) lowHalf++;
    expect(Math.abs(lowHalf - 10_000)).toBeLessThan(4 * Math.sqrt((30_000 * 2) / 9));
  });

  it("make every permutation, each equally often", () => {
    const rng = generator("orders");
    const seen = new Map<string, number>();
    for (let i = 0; i < 12_000; i++) {
      const order = rng.permutation(4).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(24);
    const statistic = [...seen.values()].reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
    expect(statistic).toBeLessThan(52);
    fc.assert(
      fc.property(fc.nat(200), (count) => {
        expect([...rng.permutation(count)].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
      }),
    );
  });

  it("give uniforms in the order of uniform(), wherever in a block they begin", () => {
    for (let words = 0; words < 5; words++) {
      for (let count = 0; count < 8; count++) {
        const [one, many] = [generator("order"), generator("order")];
        for (let i = 0; i < words; i++) expect(many.uint32()).toBe(one.uint32());
        expect([...many.uniforms(count)]).toEqual(Array.from({ length: count }, () => one.uniform()));
        expect(many.uint32()).toBe(one.uint32());
      }
    }
  });

  it("never give the upper bound of uniforms, however narrow", () => {
    const high = 1 + 2 ** -52;
    expect([...generator(0).uniforms(50, 1, high)].every((x) => x === 1)).toBe(true);
  });

  it("refuse what they cannot do", () => {
    const rng = generator(0);
    const refused: (() => unknown)[] = [
      () => rng.integer(3, 3),
      () => rng.integer(0.5, 3),
      () => rng.integer(0, Infinity),
      () => rng.integer(-(2 ** 52), 2 ** 52),
      () => rng.integers(1, 0, 2 ** 31 + 1),
      () => rng.uniforms(2, 1, 1),
      () => rng.uniforms(2, 0, NaN),
      () => rng.uniforms(-1),
      () => rng.normals(1.5),
      () => rng.normals(1, 0, -1),
      () => rng.normals(1, NaN),
      () => rng.permutation(-1),
    ];
    for (const refusal of refused) expect(refusal).toThrow("E_VALUE");
    expect([rng.normals(0), rng.permutation(0)].map((x) => x.length)).toEqual([0, 0]);
  });
});
