import { builtInIdeas } from "../../ideas/index.js";
import { useKernels } from "../../tensor/index.js";
import { loadNamed } from "../plugins/load-plugins.js";
import type { ProcessRequest } from "./process.js";
import { perform } from "./perform.js";
import type { Reply } from "./reply.js";
import { failureText } from "./task-failure.js";

/** Does the one task of this process, and ends it with the answer. */
async function answer({ task, kernels, files }: ProcessRequest): Promise<Reply> {
  try {
    useKernels(kernels);
    for (const file of files) await loadNamed(file);
    const steps = perform(task, builtInIdeas);
    for (;;) {
      const step = steps.next();
      if (step.done) return { ok: true, result: step.value };
    }
  } catch (error) {
    return { ok: false, failure: failureText(error) };
  }
}

process.on("disconnect", () => process.exit(1));
process.once("message", (request: ProcessRequest) => {
  void answer(request).then((reply) => process.send!(reply, () => process.exit(0)));
});
