import { fail, formatGiven } from "../../errors/index.js";
import { fillBlocksBy } from "../../random/blocks.js";
import type { Kernels } from "./kernels.js";
import { referenceKernels } from "./reference/index.js";
import { simdIsSupported, simdKernels } from "./simd/index.js";

/** The sets of kernels that this engine can run, by name, the fastest last. */
export const kernelSets: ReadonlyMap<string, Kernels> = new Map(
  [referenceKernels, ...(simdIsSupported() ? [simdKernels] : [])].map((set) => [set.name, set]),
);

let active: Kernels = [...kernelSets.values()].at(-1)!;
fillBlocksBy(active.philoxBlocks);

/** The set of kernels in use. */
export function kernels(): Kernels {
  return active;
}

/** Chooses the set of kernels by name. Throws `E_KERNELS` for a name that does not exist, or that this engine cannot run. */
export function useKernels(name: string): void {
  const chosen = kernelSets.get(name);
  if (!chosen)
    fail("E_KERNELS", `expected one of ${[...kernelSets.keys()].join(", ")}, got "${formatGiven(name)}"`);
  active = chosen;
  fillBlocksBy(active.philoxBlocks);
}
