import { fail } from "../errors/index.js";
import { closeArena, openArena } from "../tensor/index.js";
import { beginLifetime, currentLifetime, endLifetime } from "./lifetime.js";
import { Tensor } from "./tensor.js";
import { isRecord } from "./tree.js";

/**
 * Runs `f`, and takes back the memory of the results of operations inside when it ends, also when it throws: they live
 * in the memory of the kernels meanwhile, which is faster and never waits for the garbage collector. What `f` returns is
 * kept (tensors, also in lists, plain records, maps and sets), and so are values assigned to leaves, the `grad` of any
 * tensor, and what was given to {@link keep}. A kept result of an operation inside is a constant afterwards, as from
 * `detach()`: run `backward` inside. Scopes nest, and are synchronous; one for each training step is the right size.
 *
 * Other results of 64 elements and more cannot be read any more (`E_SCOPE`), nor can a graph recorded inside be gone
 * back through. Smaller ones, and tensors made from data, live on the heap and stay.
 *
 * @throws E_VALUE when `f` is no function, or returns a promise or an iterator, which would go on after the scope
 * @throws E_SCOPE later, when a result that was not kept is read or differentiated
 */
export function scope<R>(f: () => R): R {
  if (typeof f !== "function") fail("E_VALUE", `scope: expected a function, got ${typeof f}`);
  const mark = openArena();
  const lifetime = beginLifetime();
  try {
    const result = f();
    refuseUnfinished(result);
    keepAll(result);
    return result;
  } finally {
    try {
      for (const { grad } of lifetime.graded) grad?.outlive(lifetime);
      for (const tensor of lifetime.kept) tensor.outlive(lifetime);
    } finally {
      endLifetime();
      closeArena(mark);
    }
  }
}

/** Keeps a tensor beyond the scope that is open; without a scope nothing needs to be kept. Returns it. Throws `E_VALUE` for anything else. */
export function keep(tensor: Tensor): Tensor {
  if (!(tensor instanceof Tensor)) {
    const given = Array.isArray(tensor) ? "a list; keep its tensors one by one" : typeof tensor;
    fail("E_VALUE", `keep: expected a tensor, got ${given}`);
  }
  currentLifetime()?.kept.add(tensor);
  return tensor;
}

function refuseUnfinished(result: unknown): void {
  if (typeof result !== "object" || result === null) return;
  const { then, next } = result as Partial<Record<"then" | "next", unknown>>;
  if (typeof then === "function") {
    // What the function still does after the scope may fail; the error that counts is thrown here.
    Promise.resolve(result).catch(() => undefined);
    fail("E_VALUE", "scope: expected a synchronous function, got one that returns a promise");
  }
  if (typeof next === "function" && !(result instanceof Tensor))
    fail(
      "E_VALUE",
      "scope: expected a function that does its work at once, got one that returns an iterator",
    );
}

function keepAll(result: unknown): void {
  const seen = new Set<unknown>();
  const open: unknown[] = [result];
  while (open.length > 0) {
    const value = open.pop();
    if (value instanceof Tensor) keep(value);
    else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      const parts =
        Array.isArray(value) || value instanceof Set || value instanceof Map
          ? value.values()
          : isRecord(value)
            ? Object.values(value)
            : [];
      for (const part of parts) open.push(part);
    }
  }
}
