import { fail } from "../../errors/index.js";
import type { Kernels } from "./kernels.js";
import { referenceKernels } from "./reference/index.js";

/** The sets of kernels that exist, by name. */
export const kernelSets: ReadonlyMap<string, Kernels> = new Map([[referenceKernels.name, referenceKernels]]);

let active: Kernels = referenceKernels;

/** The set of kernels in use. */
export function kernels(): Kernels {
  return active;
}

/** Chooses the set of kernels by name. Throws `E_KERNELS` for a name that does not exist. */
export function useKernels(name: string): void {
  const chosen = kernelSets.get(name);
  if (!chosen) fail("E_KERNELS", `expected one of ${[...kernelSets.keys()].join(", ")}, got "${name}"`);
  active = chosen;
}
