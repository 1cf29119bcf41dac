import { parentPort, workerData } from "node:worker_threads";
import { errorParts } from "../../errors/index.js";
import { useKernels } from "../../tensor/index.js";
import { casesOf } from "./case.js";
import { checkCase } from "./check-case.js";
import { checkIdea } from "./check-idea.js";
import type { CheckLine } from "./check-line.js";
import { loadModule } from "../../bench/plugins/load-module.js";
import type { Message, Request } from "./messages.js";

const { file, kernels, only, ...options } = workerData as Request;
const send = (message: Message): void => parentPort!.postMessage(message);

function relay(name: string, lines: Iterable<CheckLine>): void {
  send({ kind: "subject", name });
  for (const line of lines) send({ kind: "line", line });
}

process.setSourceMapsEnabled(true);

try {
  useKernels(kernels);
  const found = casesOf((await loadModule(file, "E_GRADCHECK_FILE")).exports);
  const matches = ({ name }: { readonly name: string }): boolean => only === undefined || name === only;
  const names = [...found.cases, ...found.ideas].map(({ name }) => name);
  send({ kind: "found", names, passedOver: found.passedOver });
  for (const one of found.cases.filter(matches)) relay(one.name, checkCase(one, options));
  for (const idea of found.ideas.filter(matches)) relay(idea.name, checkIdea(idea, options));
  send({ kind: "end" });
} catch (error) {
  send({ kind: "error", ...errorParts(error) });
}
