import fc from "fast-check";
import { expect, test } from "vitest";
import { FreeRanges } from "../../../src/tensor/memory/free-ranges.js";

const end = 100;

test("gives pieces that do not overlap, only where there is room, and is one piece again when all are back", () => {
  const moves = fc.array(fc.record({ size: fc.integer({ min: 1, max: 40 }), back: fc.nat() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(moves, (list) => {
      const ranges = new FreeRanges(0, end);
      const taken: { from: number; size: number }[] = [];
      const cells = new Uint8Array(end);
      for (const { size, back } of list) {
        const from = ranges.take(size);
        if (from === undefined) {
          expect(Math.max(0, ...ranges.sizes)).toBeLessThan(size);
          const piece = taken.splice(back % Math.max(1, taken.length), 1)[0];
          if (piece) {
            cells.fill(0, piece.from, piece.from + piece.size);
            ranges.giveBack(piece.from, piece.size);
          }
        } else {
          expect(from + size).toBeLessThanOrEqual(end);
          expect(cells.subarray(from, from + size).includes(1)).toBe(false);
          cells.fill(1, from, from + size);
          taken.push({ from, size });
        }
        expect(ranges.sizes.reduce((a, b) => a + b, 0)).toBe(cells.filter((cell) => cell === 0).length);
      }
      for (const { from, size } of taken) ranges.giveBack(from, size);
      expect(ranges.sizes).toEqual([end]);
    }),
  );
});

test("an empty stretch holds nothing", () => {
  expect(new FreeRanges(5, 5).take(1)).toBeUndefined();
});
