import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../store/make-folders.js";
import { systemCode } from "../../store/store-failure.js";
import { temporaryBeside } from "../../store/temporary-file.js";
import { writeOnce } from "../../store/write-once.js";
import type { CellLimits } from "../executor.js";
import { decodeTask, encodeTask, type RemoteTask } from "../remote-task.js";
import { decodeReply, encodeReply, type Reply } from "../reply.js";
import type { CellTask } from "../task.js";

/** The array task that was asked to do a task. */
export interface Assignment {
  /** Slurm's number of the array job. */
  readonly job: string;
  readonly index: number;
}

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
    replace(this.place(id, "task"), encodeTask(task, limits));
  }

  task(id: string): RemoteTask {
    return decodeTask(fs.readFileSync(this.place(id, "task"), "utf8"));
  }

  /** The first answer stays. */
  putReply(id: string, reply: Reply): void {
    writeOnce(this.place(id, "reply"), encodeReply(reply));
  }

  reply(id: string): Reply | undefined {
    const text = readIfThere(this.place(id, "reply"));
    return text === undefined ? undefined : decodeReply(text);
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
