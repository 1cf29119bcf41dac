import fs from "node:fs";
import path from "node:path";
import type { Json } from "../../../ideas/index.js";
import { kernels } from "../../../tensor/index.js";
import { canonicalJson, parseCanonicalJson } from "../../cells/canonical.js";
import { packageFingerprint } from "../../cells/fingerprint.js";
import { sha256 } from "../../cells/key.js";
import type { PluginFile } from "../../plugins/plugin-file.js";
import { makeFolders } from "../../store/make-folders.js";
import { systemCode } from "../../store/store-failure.js";
import { temporaryBeside } from "../../store/temporary-file.js";
import { writeOnce } from "../../store/write-once.js";
import type { CellLimits } from "../executor.js";
import type { Reply } from "../reply.js";
import { taskFiles } from "../task-files.js";
import type { CellTask } from "../task.js";

/** A task as it is handed to another machine: all that decides its result, and the limits that it has. */
export interface SpooledTask {
  readonly task: CellTask;
  /** The code that must compute it. */
  readonly fingerprint: string;
  readonly kernels: string;
  readonly files: readonly PluginFile[];
  readonly limits: CellLimits;
}

/** The array task that was asked to do a task. */
export interface Assignment {
  /** Slurm's number of the array job. */
  readonly job: string;
  readonly index: number;
}

/** The hash by which a task is known in a spool: equal tasks have equal answers, whoever asked for them first. */
export function taskId(task: CellTask): string {
  const what = { task, fingerprint: packageFingerprint(), kernels: kernels().name };
  return sha256(canonicalJson(plain(what)));
}

const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/**
 * A folder that the submitting machine and the nodes share: `ID.task.json`, `ID.reply.json` and `ID.assigned.json` for a task. Every file
 * is written whole; an answer is written once, so that a task that is done twice leaves one.
 */
export class Spool {
  constructor(readonly folder: string) {
    makeFolders(path.join(folder, "log"));
  }

  place(id: string, kind: "task" | "reply" | "assigned"): string {
    return path.join(this.folder, `${id}.${kind}.json`);
  }

  putTask(id: string, task: CellTask, limits: CellLimits): void {
    const spooled: SpooledTask = {
      task,
      fingerprint: packageFingerprint(),
      kernels: kernels().name,
      files: taskFiles(task),
      limits,
    };
    replace(this.place(id, "task"), canonicalJson(plain(spooled)));
  }

  task(id: string): SpooledTask {
    const text = fs.readFileSync(this.place(id, "task"), "utf8");
    return parseCanonicalJson(text) as unknown as SpooledTask;
  }

  /** The first answer stays. */
  putReply(id: string, reply: Reply): void {
    // An answer holds numbers that JSON has not, such as the metric of a diverged cell.
    writeOnce(this.place(id, "reply"), canonicalJson(reply as unknown as Json));
  }

  reply(id: string): Reply | undefined {
    const text = readIfThere(this.place(id, "reply"));
    return text === undefined ? undefined : (parseCanonicalJson(text) as unknown as Reply);
  }

  assign(id: string, assignment: Assignment): void {
    replace(this.place(id, "assigned"), JSON.stringify(assignment));
  }

  assignment(id: string): Assignment | undefined {
    const text = readIfThere(this.place(id, "assigned"));
    return text === undefined ? undefined : (JSON.parse(text) as Assignment);
  }

  /** Forgets a task with all that belongs to it. */
  forget(id: string): void {
    for (const kind of ["assigned", "task", "reply"] as const)
      fs.rmSync(this.place(id, kind), { force: true });
  }
}

/** Writes a file whole, in the place of what may be there. */
export function replace(file: string, content: string): void {
  const temporary = temporaryBeside(file);
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, file);
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
