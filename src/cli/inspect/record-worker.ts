import { parentPort, workerData } from "node:worker_threads";
import { errorParts } from "../../errors/index.js";
import { inspect } from "../../inspect/index.js";
import { useKernels } from "../../tensor/index.js";
import { fileSubject } from "./file-subject.js";
import type { RecordMessage, RecordRequest } from "./record-messages.js";

const { file, kernels, only, seed, options } = workerData as RecordRequest;
const send = (message: RecordMessage): void => parentPort!.postMessage(message);

process.setSourceMapsEnabled(true);

try {
  useKernels(kernels);
  const subject = await fileSubject(file, only, seed);
  send({ kind: "imported" });
  send({
    kind: "document",
    document: inspect(subject.f, subject.inputs, { ...subject.options, ...options }),
  });
} catch (error) {
  send({ kind: "error", ...errorParts(error) });
}
