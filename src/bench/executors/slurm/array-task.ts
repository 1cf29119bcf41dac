import fs from "node:fs";
import process from "node:process";
import { builtInIdeas } from "../../../ideas/index.js";
import { useKernels } from "../../../tensor/index.js";
import { calibrationIdeas } from "../../calibrate/ideas.js";
import { loadNamed } from "../../plugins/load-plugins.js";
import { isLoaded } from "../../plugins/registry.js";
import { inlineExecutor } from "../inline.js";
import { requireSameCode, type RemoteTask } from "../remote-task.js";
import type { Reply } from "../reply.js";
import { failureText } from "../task-failure.js";
import { Spool } from "./spool.js";

/** What one array job computes: the tasks of each array task, by their names in the spool. */
export interface Batch {
  readonly spool: string;
  readonly chunks: readonly (readonly string[])[];
}

/** Does the tasks of one array task on a node, one after the other, and leaves an answer for each. */
async function work(batchFile: string, index: number): Promise<void> {
  const { spool: folder, chunks } = JSON.parse(fs.readFileSync(batchFile, "utf8")) as Batch;
  const spool = new Spool(folder);
  for (const id of chunks[index] ?? []) {
    // Delivered twice, or done by an earlier job.
    if (spool.reply(id) !== undefined) continue;
    spool.putReply(id, await answer(spool.task(id)));
  }
}

async function answer(remote: RemoteTask): Promise<Reply> {
  const { task, kernels, files, limits } = remote;
  try {
    requireSameCode(remote);
    useKernels(kernels);
    for (const file of files) if (!isLoaded(file)) await loadNamed(file);
    const ideas = new Map([...builtInIdeas, ...calibrationIdeas]);
    return { ok: true, result: await inlineExecutor(ideas, limits).run(task) };
  } catch (error) {
    return { ok: false, failure: failureText(error) };
  }
}

const [batchFile, index] = process.argv.slice(2);
await work(batchFile!, Number(index));
