import { fail } from "../../errors/index.js";
import { encodeSafetensors } from "../../nn/index.js";
import { canonicalJson } from "../cells/canonical.js";
import type { TrainSpec } from "../cells/spec.js";
import { decodeWeights } from "../cells/weights.js";
import type { Config } from "../record.js";
import type { CellStore } from "../store/index.js";
import { finalCells, type Plan } from "./plan.js";

/** A trained model of a run as a file. */
export interface SavedModel {
  /** `baseline-seed-0.safetensors`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The trained parameters of the final cells of both arms, each as a safetensors file with the cell's key and specification as
 * texts beside it. `decodeSafetensors` and `Module.loadStateDict` bring them into a model like the one that was trained.
 *
 * @param best the configuration of each arm's final cells
 * @param seeds the final seeds that the run came to
 * @param store the store that the run used
 * @throws E_STORE when it no longer has a cell, or kept the cells of the run's idea in memory only
 */
export function* finalModels(
  plan: Plan,
  best: Readonly<Record<"baseline" | "idea", Config>>,
  seeds: readonly number[],
  store: CellStore,
): Generator<SavedModel> {
  for (const arm of plan.arms) {
    if (arm.name !== "baseline" && arm.name !== "idea") continue;
    for (const cell of finalCells(plan, arm, best[arm.name], seeds)) {
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
        name: `${arm.name}-seed-${cell.spec.seed}.safetensors`,
        bytes: encodeSafetensors(decodeWeights(outcome.result.weights), texts),
      };
    }
  }
}
