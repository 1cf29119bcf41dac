import { describe, expect, it } from "vitest";
import {
  cutsOf,
  dimensionTree,
  nodesOf,
  treeNumbers,
} from "../../../src/ideas/moment-rank2/dimension-tree.js";

const tree = (shape: number[], leaf: number, transfer = leaf) => dimensionTree(shape, { leaf, transfer });
const ranksOf = (shape: number[], leaf: number, transfer?: number): number[] =>
  nodesOf(tree(shape, leaf, transfer)).map(({ rank }) => rank);

describe("dimensionTree", () => {
  it("halves the modes down to single ones, the first half the longer one", () => {
    const modes = nodesOf(tree([2, 2, 2, 2, 2, 2], 2)).map(({ first, last }) => [first, last]);
    expect(modes).toEqual([
      ...[
        [0, 3],
        [3, 6],
      ],
      ...[
        [0, 2],
        [2, 3],
        [3, 5],
        [5, 6],
      ],
      ...[
        [0, 1],
        [1, 2],
        [3, 4],
        [4, 5],
      ],
    ]);
    const [, , pair] = nodesOf(tree([2, 3, 4, 5], 2));
    expect(pair).toMatchObject({ first: 0, last: 1, before: 1, size: 2, after: 60 });
    expect(nodesOf(tree([2, 3, 4, 5], 2))[4]).toMatchObject({ before: 6, size: 4, after: 5 });
  });

  it("lowers ranks that no tensor can have, and no others", () => {
    expect(ranksOf([8, 8], 3)).toEqual([3, 3]);
    expect(ranksOf([4, 4, 4], 2, 3)).toEqual([2, 2, 2, 2]);
    expect(ranksOf([4, 4, 4], 3, 2)).toEqual([2, 2, 3, 3]);
    expect(ranksOf([4, 4, 4], 1, 4)).toEqual([1, 1, 1, 1]);
    expect(ranksOf([4, 4, 4], 9, 9)).toEqual([4, 4, 4, 4]);
    expect(ranksOf([2, 2, 2, 2, 2, 2], 2, 8)).toEqual([8, 8, 4, 2, 4, 2, 2, 2, 2, 2]);
    expect(ranksOf([2, 2, 2, 2, 2, 2], 1, 8)).toEqual(Array(10).fill(1));
  });

  it("cuts where a rank is less than that of every tensor, from the top, each matrix once", () => {
    const cuts = (shape: number[], leaf: number, transfer?: number) =>
      cutsOf(tree(shape, leaf, transfer)).map(({ first, last, rank }) => [first, last, rank]);
    expect(cuts([8, 8], 2)).toEqual([[0, 1, 2]]);
    expect(cuts([8, 8], 8)).toEqual([]);
    expect(cuts([4, 4, 4], 2)).toEqual([
      [0, 2, 2],
      [0, 1, 2],
      [1, 2, 2],
    ]);
    expect(cuts([2, 2, 2, 2, 2, 2], 2)).toEqual([
      [0, 3, 2],
      [0, 2, 2],
      [3, 5, 2],
    ]);
  });

  it("counts the numbers of frames and transfer tensors that are not the identity", () => {
    expect(treeNumbers(tree([8, 8], 2))).toBe(2 * 16);
    expect(treeNumbers(tree([16, 4], 3))).toBe(3 * 20);
    // A frame of full rank is the identity, and so everything is in the other one.
    expect(treeNumbers(tree([16, 4], 4))).toBe(64);
    expect(treeNumbers(tree([8, 8], 8))).toBe(64);
    // Three leaves of 4·2, a transfer tensor of 2·2·2.
    expect(treeNumbers(tree([4, 4, 4], 2))).toBe(3 * 8 + 8);
    // Transfer tensors of {0,1} and {3,4}, then of {0,1,2} and {3,4,5}, 2·2·2 each; leaves of full rank.
    expect(treeNumbers(tree([2, 2, 2, 2, 2, 2], 2))).toBe(4 * 8);
    expect(treeNumbers(tree([2, 2, 2, 2, 2, 2], 1))).toBe(6 * 2);
    expect(treeNumbers(tree([2, 2, 2, 2, 2, 2], 2, 8))).toBe(64);
  });

  it("refuses what is no tensor, and ranks that are no whole numbers", () => {
    for (const shape of [[], [8], [8, 1], [8, 2.5]])
      expect(() => tree(shape, 2)).toThrow(/E_VALUE.*two modes or more/);
    for (const rank of [0, -1, 1.5, NaN]) {
      expect(() => tree([4, 4], rank, 1)).toThrow(/E_VALUE.*leaf rank/);
      expect(() => tree([4, 4], 1, rank)).toThrow(/E_VALUE.*transfer rank/);
    }
  });
});
