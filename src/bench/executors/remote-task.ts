import os from "node:os";
import { fail } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import { kernels } from "../../tensor/index.js";
import { canonicalJson, parseCanonicalJson } from "../cells/canonical.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { sha256 } from "../cells/key.js";
import type { PluginFile } from "../plugins/plugin-file.js";
import type { CellLimits } from "./executor.js";
import { taskFiles } from "./task-files.js";
import type { CellTask } from "./task.js";

/** A task as it is handed to another machine: all that decides its result, and the limits that it has. */
export interface RemoteTask {
  readonly task: CellTask;
  /** The code that must compute it. */
  readonly fingerprint: string;
  readonly kernels: string;
  readonly files: readonly PluginFile[];
  readonly limits: CellLimits;
}

/** A task as text, for the code, the kernels and the users' files of this thread. */
export function encodeTask(task: CellTask, limits: CellLimits): string {
  const remote: RemoteTask = {
    task,
    fingerprint: packageFingerprint(),
    kernels: kernels().name,
    files: taskFiles(task),
    limits,
  };
  return canonicalJson(plain(remote));
}

/** The task of a text that {@link encodeTask} made. */
export function decodeTask(text: string): RemoteTask {
  return parseCanonicalJson(text) as unknown as RemoteTask;
}

/** The hash by which a task is known on every machine: equal tasks have equal answers, whoever asked for them first. */
export function taskId(task: CellTask): string {
  const what = { task, fingerprint: packageFingerprint(), kernels: kernels().name };
  return sha256(canonicalJson(plain(what)));
}

const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Throws `E_CELL` when this machine has other code than the one that asked: it might compute something else. */
export function requireSameCode({ fingerprint }: RemoteTask): void {
  const own = packageFingerprint();
  if (fingerprint !== own)
    fail(
      "E_CELL",
      `${os.hostname()} has another version of gradstand than the machine that asked (code ${own.slice(0, 16)}, asked for ` +
        `${fingerprint.slice(0, 16)}); install the same one on both`,
    );
}
