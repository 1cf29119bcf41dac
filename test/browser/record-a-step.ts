import {
  findings,
  inspectStep,
  trainingStep,
  type Finding,
  type InspectDocument,
} from "../../src/inspect/index.js";

/** The same recording in a page and in Node. */
export function recordAStep(): { document: InspectDocument; found: Finding[] } {
  const step = trainingStep("rnn_small", { idea: "moment-rank2", steps: 6, batch: 2 });
  const document = inspectStep({ ...step, loss: () => step.loss().sub(9).log() });
  return { document, found: findings(document) };
}
