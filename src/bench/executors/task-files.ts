import type { IdeaReference, TrainSpec } from "../cells/spec.js";
import type { PluginFile } from "../plugins/plugin-file.js";
import { fileOfId } from "../plugins/registry.js";
import type { Task } from "./task.js";

/** The users' files that a task needs, as this thread loaded them: another thread loads them before it begins. */
export function taskFiles(task: Task): readonly PluginFile[] {
  switch (task.kind) {
    case "train":
    case "trial":
      return specFiles(task.spec);
    case "measure":
    case "evaluate":
      return specFiles(task.spec.trained);
    case "study":
      return task.spec.trained.flatMap(specFiles);
    case "floors":
      return [...idFile(task.track)];
    case "checks":
    case "summarize":
      return [...ideaFile(task.idea)];
  }
}

function specFiles({ idea, track, model }: TrainSpec): readonly PluginFile[] {
  return [...idFile(track), ...idFile(model), ...ideaFile(idea)];
}

function* idFile(id: string): Iterable<PluginFile> {
  const file = fileOfId(id);
  if (file !== undefined) yield file;
}

function* ideaFile(idea: IdeaReference | null): Iterable<PluginFile> {
  if (idea?.file !== undefined) yield idea.file;
}
