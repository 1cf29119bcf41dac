export { evidencePath, type EvidencePath, type Look } from "./evidence-path.js";
export { looksOf, requireSequentialPlan, type SequentialPlan } from "./sequential-plan.js";
