/** The key of the mark that tensors of every copy of this package have. */
const mark = Symbol.for("gradstand.tensor");

/** What the mark of this copy's tensors is, and that of no other copy's. */
const own = {};

/** Marks the tensors that a class makes as those of this copy of the package. */
export function markTensors({ prototype }: { readonly prototype: object }): void {
  Object.defineProperty(prototype, mark, { value: own });
}

/**
 * Whether a value is a tensor of another copy of this package in the same process: an installation inside another one, or a source and its
 * build side by side. It looks like a tensor and is none of this copy's. Never throws.
 */
export function isOfOtherCopy(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    const found: unknown = Reflect.get(value, mark);
    return found !== undefined && found !== own;
  } catch {
    return false;
  }
}

/** What such a tensor is called in a message, with what to do about it. */
export const otherCopy =
  "a tensor of another copy of gradstand: import everything from one installation (`npm ls gradstand` shows them)";
