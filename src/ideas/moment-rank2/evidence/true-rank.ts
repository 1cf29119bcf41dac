import type { Tensor } from "../../../autograd/index.js";
import { nodesOf, type TreeNode } from "../dimension-tree.js";
import { treeOf } from "../grid-layer.js";
import type { Settings } from "../settings.js";
import { asMatrix } from "../truncate-hierarchically.js";
import { largestRank } from "./state-figures.js";

/** What moments of each kind add to a rank: matrices x·1ᵀ + 1·yᵀ between any modes and the others, or a multiple of 1·1ᵀ. */
const momentRanks = { grid: 2, power: 1 };

/** What the rank of a compressed state may be at most, in the terms of its grid. */
export interface RankLaw {
  readonly statement: string;
  /** The largest value that the statement allows. */
  readonly most: number;
  /** Whether there are states that do not obey it. */
  readonly binding: boolean;
  /** The value for states of these {@link nodeRanks}. */
  observe(ranks: readonly number[]): number;
}

/**
 * For matrices: rank C(H) ≤ r + 2, with power moments r + 1. For tensors: the rank of the matrix of each node of the tree is
 * at most so much above that of the tree, wherever this is less than every tensor has. Three power moments and more bind
 * no rank.
 */
export function rankLaw(settings: Settings): RankLaw {
  const nodes = nodesOf(treeOf(settings));
  const momentRank = momentRanks[settings.moments];
  const bound = settings.moments === "grid" || settings.powers < 3;
  const limited = bound ? nodes.filter((node) => node.rank + momentRank < fullRank(node)) : [];
  if (nodes.length === 2) {
    const [{ rank }] = nodes as [TreeNode];
    const most = Math.min(rank + momentRank, fullRank(nodes[0]!));
    return {
      statement: `rank C(H) ≤ ${most}`,
      most,
      binding: limited.length > 0,
      observe: (ranks) => ranks[0]!,
    };
  }
  return {
    statement: `rank C(H)^(t) − r_t ≤ ${momentRank} at every node t of the tree`,
    most: momentRank,
    binding: limited.length > 0,
    observe: (ranks) => Math.max(0, ...limited.map((node) => ranks[nodes.indexOf(node)]! - node.rank)),
  };
}

/**
 * The largest rank of the matrix of each node of the tree, over states `[batch, rows, columns]`; the weight may be in them or
 * not. Both halves of the root have the same matrix, transposed.
 */
export function nodeRanks(settings: Settings, states: Tensor): readonly number[] {
  const [half, , ...others] = nodesOf(treeOf(settings));
  const rankAt = (node: TreeNode): number => largestRank(asMatrix(states, node));
  const rank = rankAt(half!);
  return [rank, rank, ...others.map(rankAt)];
}

function fullRank({ size, before, after }: TreeNode): number {
  return Math.min(size, before * after);
}
