import os from "node:os";
import { fail } from "../../errors/index.js";
import { kernels } from "../../tensor/index.js";
import { canonicalJson } from "../cells/canonical.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import type { StudySpec, TrainSpec } from "../cells/spec.js";
import type { KeyedCell } from "../store/index.js";
import { combinations, readStudyGrid } from "./study-grid.js";
import type { Study, StudyGrid } from "./study.js";

/** What is computed for a study. */
export interface StudyPlan {
  readonly study: Study;
  readonly grid: StudyGrid;
  /** The models that cells look at, each once. */
  readonly models: readonly KeyedCell<TrainSpec>[];
  /** In the order of the grid. */
  readonly cells: readonly KeyedCell<StudySpec>[];
}

/**
 * Plans a study.
 *
 * @param given the axes whose values are others than the study's own, as words
 * @throws E_PLAN for an axis or a value that the study does not have, and when no point is left
 */
export function planStudy(study: Study, given: Readonly<Record<string, readonly string[]>> = {}): StudyPlan {
  const grid = readStudyGrid(study, given);
  const fingerprint = packageFingerprint();
  const keyed = <Spec extends StudySpec | TrainSpec>(spec: Spec): KeyedCell<Spec> => ({
    key: cellKey(spec, fingerprint),
    spec,
  });
  const machine = thisMachine();
  const cells = (study.points?.(grid) ?? combinations(grid)).map((point) =>
    keyed<StudySpec>({
      kind: "study",
      study: study.name,
      point,
      trained: study.models?.(point) ?? [],
      ...(study.measures?.(point) === true && { machine }),
    }),
  );
  if (cells.length === 0)
    fail("E_PLAN", `the grid of ${study.name} has no point left: ${canonicalJson(grid)}; name other values`);
  const models = new Map(
    cells.flatMap(({ spec }) => spec.trained.map(keyed)).map((model) => [model.key, model] as const),
  );
  return { study, grid, models: [...models.values()], cells };
}

/** What times and memory depend on beside the code. */
function thisMachine(): NonNullable<StudySpec["machine"]> {
  return {
    cpu: os.cpus()[0]?.model ?? "unknown",
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    kernels: kernels().name,
  };
}
