import { elementwiseSubjects } from "./elementwise-subjects.js";
import { reductionSubjects } from "./reduction-subjects.js";
import type { Differentiable, Subject } from "./samples.js";
import { shapeSubjects } from "./shape-subjects.js";

/** How each operation with a rule is tested; one that is missing does not compile, and fails rules.test.ts. */
export const subjects: Readonly<Record<Differentiable, Subject>> = {
  ...elementwiseSubjects,
  ...shapeSubjects,
  ...reductionSubjects,
};
