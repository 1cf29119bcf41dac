import { parentPort, workerData } from "node:worker_threads";
import { errorParts } from "../../errors/index.js";
import { generator } from "../../random/index.js";
import { useKernels } from "../../tensor/index.js";
import { resolveOptions } from "../run/idea-options.js";
import type { InspectMessage, InspectRequest } from "./inspect-file.js";
import { loadPlugins } from "./load-plugins.js";

const { file, kernels, options } = workerData as InspectRequest;
const send = (message: InspectMessage): void => parentPort!.postMessage(message);

try {
  useKernels(kernels);
  send({ kind: "started" });
  const { ideas } = await loadPlugins(file);
  for (const idea of ideas) {
    const complete = resolveOptions(idea, options);
    send({ kind: "at", part: `the idea ${idea.name}: change()` });
    idea.change(complete, generator(0).stream("idea"));
  }
  send({ kind: "end" });
} catch (error) {
  send({ kind: "error", ...errorParts(error) });
}
