import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import { cutsOf, type TreeNode } from "./dimension-tree.js";
import { truncateRank, type TruncationOptions } from "./truncate-rank.js";

/** Options of {@link truncateHierarchically}: those of a truncation, whose ranks the tree has. */
export type HierarchicalOptions = Omit<TruncationOptions, "rank">;

/**
 * Hierarchical singular value decomposition, cut off at the ranks of a dimension tree: from the root's halves down to the leaves,
 * each node in turn is read as a matrix of its own modes against all others and replaced by its best approximation of
 * its rank. A node below never raises the rank of one above it, or beside it, so that the result has all these ranks.
 *
 *   ‖H − X‖ ≤ Σ_levels √(Σ_nodes τ²),   τ² = Σ_{j>r} s_j² of the node's matrix when its turn comes,
 *
 * and X is H where H has the ranks. On two modes it is T_r.
 *
 * The gradient is exact for this sequence: the adjoint of each truncation, that of {@link truncateRank}, self-adjoint and
 * clipped at the same bound, in reverse order. So nothing is divided by a gap, zero and rank-deficient tensors
 * have a finite gradient, and a second derivative in H throws `E_SECOND_ORDER`.
 *
 * Source: L. Grasedyck, "Hierarchical singular value decomposition of tensors", SIAM J. Matrix Anal. Appl. 31 (2010).
 *
 * Shapes: h `[…, size]`, the entries of a tensor in order, → the same. Throws `E_SHAPE`, `E_DTYPE`, `E_VALUE`.
 */
export function truncateHierarchically(h: Tensor, root: TreeNode, options: HierarchicalOptions = {}): Tensor {
  if (h.rank < 1 || h.shape.at(-1) !== root.size) {
    fail(
      "E_SHAPE",
      `truncateHierarchically: expected tensors of ${root.size} entries, [..., ${root.size}], got ${formatShape(h.shape)}`,
    );
  }
  return cutsOf(root)
    .reduce((x, cut) => truncateAt(x, cut, options), h)
    .reshape(h.shape);
}

/** The truncation at one node alone. */
function truncateAt(x: Tensor, cut: TreeNode, options: HierarchicalOptions): Tensor {
  return fromMatrix(truncateRank(asMatrix(x, cut), { ...options, rank: cut.rank }), cut);
}

/**
 * The entries of tensors read as matrices of a node's modes against all others, `[…]` → `[batch, size, before·after]`, or
 * its transpose where nothing comes after.
 */
export function asMatrix(x: Tensor, { before, size, after }: TreeNode): Tensor {
  const batch = x.size / (before * size * after);
  if (after === 1) return x.reshape([batch, before, size]);
  if (before === 1) return x.reshape([batch, size, after]);
  return x
    .reshape([batch, before, size, after])
    .permute([0, 2, 1, 3])
    .reshape([batch, size, before * after]);
}

/** The inverse of {@link asMatrix}: → `[batch, before·size·after]`. */
export function fromMatrix(x: Tensor, { before, size, after }: TreeNode): Tensor {
  const batch = x.shape[0]!;
  const entries = [batch, before * size * after];
  if (before === 1 || after === 1) return x.reshape(entries);
  return x.reshape([batch, size, before, after]).permute([0, 2, 1, 3]).reshape(entries);
}
