import type { Control } from "../../idea.js";
import { bottleneckControl } from "./bottleneck.js";
import { momentsAlone } from "./moments-alone.js";
import { otherCompressions } from "./other-compressions.js";
import { plainTruncation } from "./plain-truncation.js";
import { randomMomentsControl } from "./random-moments.js";
import { randomRotation } from "./random-rotation.js";
import { smallerGru } from "./smaller-gru.js";
import { truncationAlone } from "./truncation-alone.js";

/** What moment-preserving compression must be measured against. */
export const momentRank2Controls: readonly Control[] = [
  plainTruncation(2, "keeping the moments adds nothing to the truncation"),
  plainTruncation(3, "one more singular vector is worth as much as the four moments"),
  plainTruncation(4, "only the true rank matters: the idea's states have rank 4, like these"),
  randomMomentsControl,
  momentsAlone,
  randomRotation,
  bottleneckControl,
  smallerGru,
  ...otherCompressions,
  truncationAlone,
];
