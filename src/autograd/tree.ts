import { Tensor } from "./tensor.js";

/** A tensor, or lists and records of them: what functions to be differentiated take. */
export type Tree = Tensor | readonly Tree[] | { readonly [key: string]: Tree };

/** The same structure with f applied to each tensor. */
export function mapTree<T extends Tree>(tree: T, f: (leaf: Tensor) => Tensor): T {
  const visit = (part: Tree): Tree => {
    if (part instanceof Tensor) return f(part);
    if (Array.isArray(part)) return part.map(visit);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, visit(value as Tree)]));
  };
  return visit(tree) as T;
}

/** The tensors of a structure, in order. */
export function leavesOf(tree: Tree): Tensor[] {
  const leaves: Tensor[] = [];
  mapTree(tree, (leaf) => {
    leaves.push(leaf);
    return leaf;
  });
  return leaves;
}
