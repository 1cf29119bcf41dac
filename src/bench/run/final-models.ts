import { fail } from "../../errors/index.js";
import { encodeSafetensors } from "../../nn/index.js";
import { canonicalJson } from "../cells/canonical.js";
import type { Arm, TrainSpec } from "../cells/spec.js";
import { decodeWeights } from "../cells/weights.js";
import type { Config } from "../record.js";
import type { CellStore } from "../store/index.js";
import { finalCells, type Plan } from "./plan.js";

/** A trained model of a run as a file. */
export interface SavedModel {
  /** `baseline-seed-0.safetensors`, or `control-NAME-seed-0.safetensors`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The trained parameters of the final cells of every arm, each as a safetensors file with the cell's key and specification as
 * texts beside it. `decodeSafetensors` and `Module.loadStateDict` bring them into a model like the one that was trained.
 *
 * @param best the configuration of each arm's final cells; an arm without one is left out
 * @param seeds the final seeds that the run came to
 * @param store the store that the run used
 * @throws E_STORE when it no longer has a cell, or kept the cells of the run's idea in memory only
 */
export function* finalModels(
  plan: Plan,
  best: Readonly<Partial<Record<Arm, Config>>>,
  seeds: readonly number[],
  store: CellStore,
): Generator<SavedModel> {
  for (const arm of plan.arms) {
    const chosen = best[arm.name];
    if (chosen === undefined) continue;
    for (const cell of finalCells(plan, arm, chosen, seeds)) {
      const outcome = store.read<TrainSpec>(cell);
      if (outcome === undefined)
        fail(
          "E_STORE",
          `the model of ${arm.name}, seed ${cell.spec.seed}, is not in the store ${store.location}`,
        );
      const texts = {
        format: "gradstand-model",
        key: cell.key,
        cell: canonicalJson(JSON.parse(JSON.stringify(cell.spec))),
      };
      yield {
        name: `${arm.name.replace(":", "-")}-seed-${cell.spec.seed}.safetensors`,
        bytes: encodeSafetensors(decodeWeights(outcome.result.weights), texts),
      };
    }
  }
}
