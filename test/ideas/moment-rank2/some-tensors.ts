import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { dimensionTree, nodesOf, type TreeNode } from "../../../src/ideas/moment-rank2/dimension-tree.js";
import { generator } from "../../../src/random/index.js";
import { normal } from "./random-matrices.js";

/** Shapes of 64 entries or fewer, with a leaf and a transfer rank each that cut something. */
export const shapes = [
  { shape: [4, 4, 4], rank: 2, transferRank: 2 },
  { shape: [4, 4, 4], rank: 3, transferRank: 1 },
  { shape: [2, 2, 2, 2, 2, 2], rank: 2, transferRank: 2 },
  { shape: [2, 2, 2, 2, 2, 2], rank: 1, transferRank: 1 },
  { shape: [3, 2, 4], rank: 2, transferRank: 2 },
  { shape: [2, 3, 2, 4], rank: 2, transferRank: 3 },
] as const;

export interface Shaped {
  readonly shape: readonly number[];
  readonly rank: number;
  readonly transferRank: number;
}

export const treeOf = ({ shape, rank, transferRank }: Shaped): TreeNode =>
  dimensionTree(shape, { leaf: rank, transfer: transferRank });

/** Σ ⊗u of r random terms of decreasing size, `[1, size]` in float64: of rank r at most everywhere. */
export function ofTerms(seed: number, shape: readonly number[], terms: number): Tensor {
  const size = shape.reduce((product, points) => product * points, 1);
  let sum = tensor(new Float64Array(size), { shape: [1, size] });
  for (let term = 0; term < terms; term++) {
    const product = shape
      .map((points, mode) => normal(seed, `term ${term} mode ${mode}`, [points]))
      .reduce((a, b) => a.unsqueeze(-1).mul(b).reshape([-1]));
    sum = sum.add(product.mul(0.4 ** term).reshape([1, size]));
  }
  return sum;
}

/**
 * A tensor whose cuts all have a gap: of the ranks of the tree exactly, by a product of frames and transfer tensors with falling
 * weights, and a little noise, `[size]` in float64.
 */
export function withGaps(seed: number, given: Shaped, noise = 0.05): Tensor {
  const root = treeOf(given);
  const rng = generator(seed);
  const frame = (node: TreeNode): Tensor => {
    const [left, right] = node.children;
    const draw = (shape: number[]): Tensor =>
      tensor(rng.normals(shape.reduce((p, n) => p * n, 1)), { shape });
    if (!left || !right) return orthonormal(draw([node.size, node.rank]));
    const [a, b] = [frame(left), frame(right)];
    const transfer = orthonormal(draw([left.rank * right.rank, node.rank]));
    return kronecker(a, b).matmul(transfer);
  };
  const [left, right] = root.children as readonly [TreeNode, TreeNode];
  const weights = tensor(Float64Array.from({ length: left.rank }, (_, at) => 1 - 0.15 * at));
  const exact = frame(left).mul(weights).matmul(frame(right).transpose()).reshape([root.size]);
  const size = Math.sqrt(exact.square().sum().item());
  return exact.add(normal(seed, "noise", [root.size]).mul((noise * size) / Math.sqrt(root.size)));
}

/** Columns a_i ⊗ b_j, `[m, p]`, `[n, q]` → `[m·n, p·q]`. */
function kronecker(a: Tensor, b: Tensor): Tensor {
  const [m, p] = a.shape as [number, number];
  const [n, q] = b.shape as [number, number];
  return a
    .reshape([m, 1, p, 1])
    .mul(b.reshape([1, n, 1, q]))
    .reshape([m * n, p * q]);
}

/** The columns made orthonormal. */
function orthonormal(x: Tensor): Tensor {
  const [rows, columns] = x.shape as [number, number];
  const done: Tensor[] = [];
  for (let j = 0; j < columns; j++) {
    let column = x.slice([null, [j, j + 1]]);
    for (const earlier of [...done, ...done]) column = column.sub(earlier.mul(earlier.mul(column).sum()));
    done.push(column.div(column.square().sum().sqrt()));
  }
  return done
    .map((column) => column.reshape([rows]))
    .reduce(
      (all, column, j) =>
        all.add(
          column.unsqueeze(1).mul(tensor(Float64Array.from({ length: columns }, (_, k) => +(k === j)))),
        ),
      tensor(new Float64Array(rows * columns), { shape: [rows, columns] }),
    );
}

/** The nodes of the tree. */
export const nodes = (given: Shaped): readonly TreeNode[] => nodesOf(treeOf(given));
