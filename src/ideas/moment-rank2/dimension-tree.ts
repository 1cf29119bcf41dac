import { fail } from "../../errors/index.js";

/** A node of a dimension tree: the modes from `first` to `last` − 1, against all others. */
export interface TreeNode {
  readonly first: number;
  readonly last: number;
  /** Entries before, in and after its modes: a tensor is read as `[before, size, after]`. */
  readonly before: number;
  readonly size: number;
  readonly after: number;
  /** The hierarchical rank here: the rank of the matrix `[size, before·after]`; 1 at the root. */
  readonly rank: number;
  /** Its two halves, the first the longer one; none at a leaf, a single mode. */
  readonly children: readonly [] | readonly [TreeNode, TreeNode];
}

/** The hierarchical ranks that are asked for. */
export interface HierarchicalRanks {
  /** At the leaves, the single modes. */
  readonly leaf: number;
  /** At the nodes of several modes but the root. */
  readonly transfer: number;
}

/**
 * The balanced binary tree over the modes of a tensor. Ranks that no tensor can have are lowered: a rank is at most the
 * number of entries in its node and out of it, and of the three ranks that meet in a node each is at most the product of
 * the other two; the two halves of the root have the same rank.
 *
 * Source: L. Grasedyck, "Hierarchical singular value decomposition of tensors", SIAM J. Matrix Anal. Appl. 31 (2010).
 *
 * @throws E_VALUE for fewer than two modes, a mode of fewer than two points, or a rank that is no whole number of at least 1
 */
export function dimensionTree(shape: readonly number[], { leaf, transfer }: HierarchicalRanks): TreeNode {
  if (shape.length < 2 || shape.some((points) => !Number.isInteger(points) || points < 2)) {
    fail(
      "E_VALUE",
      `dimension tree: expected two modes or more of at least two points, got ${shape.join("×") || "none"}`,
    );
  }
  for (const [name, rank] of [
    ["leaf", leaf],
    ["transfer", transfer],
  ] as const) {
    if (!Number.isInteger(rank) || rank < 1) {
      fail(
        "E_VALUE",
        `dimension tree: the ${name} rank must be a whole number of at least 1, not ${String(rank)}`,
      );
    }
  }
  const root = grow(shape, 0, shape.length, { leaf, transfer });
  let lowered = true;
  while (lowered) lowered = lower(root, true);
  return root;
}

interface Growing extends Omit<TreeNode, "rank" | "children"> {
  rank: number;
  readonly children: readonly [] | readonly [Growing, Growing];
}

function grow(shape: readonly number[], first: number, last: number, ranks: HierarchicalRanks): Growing {
  const product = (from: number, to: number): number => shape.slice(from, to).reduce((p, n) => p * n, 1);
  const middle = first + Math.ceil((last - first) / 2);
  const [before, size, after] = [product(0, first), product(first, last), product(last, shape.length)];
  return {
    first,
    last,
    before,
    size,
    after,
    rank: Math.min(last - first === 1 ? ranks.leaf : ranks.transfer, size, before * after),
    children: last - first === 1 ? [] : [grow(shape, first, middle, ranks), grow(shape, middle, last, ranks)],
  };
}

/** Whether a rank at this node or below it was lowered. */
function lower(node: Growing, isRoot: boolean): boolean {
  const [left, right] = node.children;
  if (!left || !right) return false;
  const before = [node.rank, left.rank, right.rank];
  if (isRoot) left.rank = right.rank = Math.min(left.rank, right.rank);
  else {
    node.rank = Math.min(node.rank, left.rank * right.rank);
    left.rank = Math.min(left.rank, node.rank * right.rank);
    right.rank = Math.min(right.rank, node.rank * left.rank);
  }
  const changed = [node.rank, left.rank, right.rank].some((rank, at) => rank !== before[at]);
  return [left, right].map((child) => lower(child, false)).includes(true) || changed;
}

/** The nodes but the root, level by level from the top. */
export function nodesOf(root: TreeNode): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  let level: readonly TreeNode[] = root.children;
  while (level.length > 0) {
    nodes.push(...level);
    level = level.flatMap(({ children }): readonly TreeNode[] => children);
  }
  return nodes;
}

/**
 * The nodes where a truncation cuts anything, in the order of the truncations, from the top: all whose rank is not that of every
 * tensor, of the two halves of the root the first, since both have the same matrix, transposed.
 */
export function cutsOf(root: TreeNode): readonly TreeNode[] {
  const second = root.children[1];
  return nodesOf(root).filter(
    (node) => node !== second && node.rank < Math.min(node.size, node.before * node.after),
  );
}

/**
 * Numbers that describe a tensor of these hierarchical ranks: frames of points × rank at the leaves, transfer tensors
 * of rank × rank × rank inside, none where the frame is of full rank and may be the identity. The root needs none,
 * because its matrix can be diagonal and belong to the frame of one half, or is rank × rank, but for a single number, where
 * both halves are identities. For a matrix these are rank·(rows + columns).
 */
export function treeNumbers(root: TreeNode): number {
  const halves = root.children.map(subtreeNumbers);
  const frames = halves.reduce((sum, numbers) => sum + numbers, 0);
  const rank = root.children[0]!.rank;
  return rank > 1 && root.children.every(isIdentity) ? frames + rank ** 2 : frames;
}

function subtreeNumbers(node: TreeNode): number {
  const below = node.children.reduce((sum, child) => sum + subtreeNumbers(child), 0);
  return below + (isIdentity(node) ? 0 : rankOfContents(node) * node.rank);
}

function isIdentity(node: TreeNode): boolean {
  return node.rank === rankOfContents(node);
}

/** Rows of the frame of a node: its points, or the products of the ranks of its halves. */
function rankOfContents({ size, children: [left, right] }: TreeNode): number {
  return left && right ? left.rank * right.rank : size;
}
