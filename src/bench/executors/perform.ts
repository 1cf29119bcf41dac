import { ideaOf, type IdeaRegistry } from "../cells/build-model.js";
import { checkIdea } from "../cells/check-idea.js";
import { evaluateCell } from "../cells/evaluate-cell.js";
import { floorValues } from "../cells/floor-values.js";
import { measureCell } from "../cells/measure-cell.js";
import { trainCell } from "../cells/train-cell.js";
import { studyCell } from "../study/study-cell.js";
import type { CellTask, TaskResult, TaskSteps } from "./task.js";

/** Does a task step by step: the generator pauses after each epoch, where its caller may report or stop. */
export function* perform<T extends CellTask>(task: T, ideas: IdeaRegistry): TaskSteps<T> {
  return (yield* dispatch(task, ideas)) as TaskResult<T>;
}

function* dispatch(task: CellTask, ideas: IdeaRegistry): TaskSteps {
  switch (task.kind) {
    case "train":
      return yield* trainCell(task.spec, ideas);
    case "measure":
      return measureCell(task.spec, task.weights, ideas);
    case "evaluate":
      return evaluateCell(task.spec, task.weights, ideas);
    case "study":
      return studyCell(task.spec, task.weights);
    case "floors":
      return floorValues(task.track, task.seed, task.sizes);
    case "summarize":
      return ideaOf(task.idea, ideas).summarize(task.checks, task.signatures);
    case "checks":
      return checkIdea(task.idea, ideas);
  }
}
