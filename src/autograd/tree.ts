import { fail } from "../errors/index.js";
import { formatGiven } from "../tensor/index.js";
import { Tensor } from "./tensor.js";

/** A tensor, or lists and records of them: what functions to be differentiated take. */
export type Tree = Tensor | readonly Tree[] | { readonly [key: string]: Tree };

/** Structures nested deeper than this are a mistake. */
const deepest = 1000;

/** The same structure with f applied to each tensor. Throws `E_VALUE` for anything else in it, also itself. */
export function mapTree<T extends Tree>(tree: T, f: (leaf: Tensor) => Tensor): T {
  if (typeof f !== "function")
    fail("E_VALUE", `mapTree: expected a function of a tensor, got ${formatGiven(f)}`);
  const path = new Set<unknown>();
  const visit = (part: Tree): Tree => {
    if (part instanceof Tensor) return f(part);
    if (!Array.isArray(part) && !isRecord(part)) {
      fail(
        "E_VALUE",
        `expected a tensor, or lists and records of tensors, got ${typeof part} ${formatGiven(part)}`,
      );
    }
    if (path.has(part) || path.size === deepest)
      fail(
        "E_VALUE",
        `expected lists and records nested at most ${deepest} deep, got ${path.has(part) ? "one that contains itself" : "more"}`,
      );
    path.add(part);
    const mapped = Array.isArray(part)
      ? Array.from(part, (entry: Tree) => visit(entry))
      : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, visit(value as Tree)]));
    path.delete(part);
    return mapped;
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

/** A plain object, not an instance of some class. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
