import fc from "fast-check";
import { expect, it } from "vitest";
import { fillBlocksBy } from "../../../src/random/blocks.js";
import { generator } from "../../../src/random/index.js";
import { countOn, philox4x32 } from "../../../src/random/philox.js";
import { kernels, kernelSets, useKernels } from "../../../src/tensor/index.js";

const words = (count: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 0xffffffff }), { minLength: count, maxLength: count });

/** The lowest word of a counter, often so near its end that it overflows. */
const lowest = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.integer({ min: 0xffffff00, max: 0xffffffff }),
);
const blockCounts = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.constantFrom(16, 32, 64, 256));

it.each([...kernelSets.keys()])("%s: philoxBlocks gives one block after another", (name) => {
  const { philoxBlocks } = kernelSets.get(name)!;
  fc.assert(
    fc.property(lowest, words(3), words(2), blockCounts, (c0, above, key, blocks) => {
      const counter = Uint32Array.of(c0, ...above);
      const expected = counter.slice();
      const one = new Uint32Array(4);
      const wanted = Array.from({ length: blocks }, () => {
        philox4x32(expected, Uint32Array.from(key), one);
        countOn(expected);
        return [...one];
      }).flat();
      const out = new Uint32Array(4 * blocks);
      philoxBlocks(counter, Uint32Array.from(key), out);
      expect([...out]).toEqual(wanted);
      expect(counter).toEqual(expected);
    }),
  );
});

it("streams draw from the set of kernels in use, the same numbers from each", () => {
  const before = kernels().name;
  const expected = generator("sets").uniforms(3000);
  const counts: number[] = [];
  try {
    for (const name of kernelSets.keys()) {
      fillBlocksBy((_counter, _key, out) => void counts.push(out.length));
      useKernels(name);
      expect(generator("sets").uniforms(3000)).toEqual(expected);
    }
    expect(counts).toEqual([]);
    fillBlocksBy((_counter, _key, out) => void counts.push(out.length));
    generator("sets").uniforms(3000);
    expect(counts).toEqual([4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024, 1024, 1024]);
  } finally {
    useKernels(before);
  }
});
