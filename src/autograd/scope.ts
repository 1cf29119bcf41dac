import { fail } from "../errors/index.js";
import { closeArena, inScope, openArena } from "../tensor/index.js";
import { beginLifetime, endLifetime, free } from "./node.js";
import { Tensor } from "./tensor.js";
import { isRecord } from "./tree.js";

/** For each open scope, innermost last, the leaves that a backward pass inside gave a gradient. */
const graded: Set<Tensor>[] = [];

/** For each open scope, innermost last, what is to be kept beyond it. */
const keeping: Tensor[][] = [];

/**
 * Runs `f`, and takes back the memory of every tensor made inside when it ends, also when it throws: results then live in
 * the memory of the kernels, which is faster and never waits for the garbage collector. What `f` returns (a tensor, or
 * lists and records with tensors in them) is kept, and so are values assigned to leaves, the `grad` that
 * `backward` leaves on a leaf, and what was given to {@link keep}. Kept values are cut off from their graph: run
 * `backward` inside. Scopes nest, and are synchronous.
 *
 * @throws E_VALUE when `f` returns a promise
 * @throws E_SCOPE later, when a tensor that was not kept is read or differentiated
 */
export function scope<R>(f: () => R): R {
  const mark = openArena();
  beginLifetime();
  graded.push(new Set());
  keeping.push([]);
  try {
    const result = f();
    if (result instanceof Promise)
      fail("E_VALUE", "scope: expected a synchronous function, got one that returns a promise");
    keepAll(result);
    return result;
  } finally {
    for (const leaf of graded.pop()!) if (leaf.grad) release(leaf.grad);
    for (const tensor of keeping.pop()!) release(tensor);
    closeArena(mark);
    endLifetime();
  }
}

/** Keeps a tensor beyond the scope that is open; without a scope nothing needs to be kept. Returns it. */
export function keep(tensor: Tensor): Tensor {
  keeping.at(-1)?.push(tensor);
  return tensor;
}

/** Told by `backward` that it left a gradient on a leaf. */
export function noteGradient(leaf: Tensor): void {
  if (inScope()) graded.at(-1)!.add(leaf);
}

function keepAll(value: unknown): void {
  if (value instanceof Tensor) keep(value);
  else if (Array.isArray(value)) value.forEach(keepAll);
  else if (isRecord(value)) Object.values(value).forEach(keepAll);
}

/** Moves a value out of the scope; what it was made from is given back, so its graph goes. */
function release(tensor: Tensor): void {
  tensor.array.persist();
  if (tensor.node) free(tensor.node);
}
