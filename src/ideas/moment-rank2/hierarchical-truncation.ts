import type { Tensor } from "../../autograd/index.js";
import { dimensionTree, type TreeNode } from "./dimension-tree.js";
import { tensorMoments, type MomentBasis, type TensorGridOptions } from "./moment-basis.js";
import { MomentPreservingLayer } from "./moment-preserving-layer.js";
import { completeTruncation, type TruncationSettings } from "./settings.js";
import { truncateHierarchically } from "./truncate-hierarchically.js";
import type { TruncationCounter } from "./truncation-counter.js";

/** The grid of d modes, the settings, and a counter of clipped gradients where one is wanted. */
export interface HierarchicalTruncationOptions extends TensorGridOptions, Partial<TruncationSettings> {
  /** A basis of as many entries in place of the moments of the grid, such as that of `randomMoments` for a control. */
  readonly basis?: MomentBasis;
  /** The rank at the nodes of several modes; `rank`, that of the leaves, where it is left out. */
  readonly transferRank?: number;
  readonly counter?: TruncationCounter;
}

/**
 * Truncation of a tensor in hierarchical Tucker form that keeps its moments, a {@link MomentPreservingLayer} with T =
 * {@link truncateHierarchically} on the balanced tree of {@link dimensionTree}. The moments are those of
 * {@link tensorMoments}, projected after the truncation, so that the hierarchical ranks of the result are up to 2
 * more than those of the tree, which `treeNumbers` and the moments describe. On two modes it is the truncation of matrices.
 *
 * Shapes: a tensor of n1×…×nd points is the matrix `[…, n1·…·n(d−1), nd]`, or flat, `[…, n1·…·nd]`.
 */
export class HierarchicalTruncation extends MomentPreservingLayer {
  readonly tree: TreeNode;
  readonly #counter: TruncationCounter | undefined;

  /** @throws E_VALUE for a grid, rank or setting outside its range */
  constructor({ shape, weights, basis, transferRank, counter, ...given }: HierarchicalTruncationOptions) {
    const settings = completeTruncation(given);
    super(basis ?? tensorMoments({ shape, ...(weights && { weights }) }), settings);
    this.tree = dimensionTree(shape, { leaf: settings.rank, transfer: transferRank ?? settings.rank });
    this.#counter = counter;
  }

  protected truncateEntries(x: Tensor): Tensor {
    const { gradient, bound } = this.settings;
    const flat = x.reshape([...x.shape.slice(0, -2), this.tree.size]);
    return truncateHierarchically(flat, this.tree, { gradient, bound, counter: this.#counter }).reshape(
      x.shape,
    );
  }
}
