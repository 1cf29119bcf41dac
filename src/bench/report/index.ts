export { buildReport } from "./build.js";
export type { Check, CheckKind } from "./checks/check.js";
export type {
  ArmFigures,
  BenchReportV1,
  Comparison,
  MathVerification,
  MechanismSignature,
  ReportConfig,
  Statement,
  SweepFigures,
} from "./document.js";
export {
  benchOf,
  benchPrefix,
  statementOf,
  type BenchReport,
  type BenchReportV2,
  type CellFigures,
  type FloorFigures,
  type Report,
  type ReportV2,
  type StageReport,
  type Statistics,
  type Tuning,
} from "./document-v2.js";
export type { Judgement } from "./judge.js";
export type { Fault } from "./localise-fault.js";
export { parseReport } from "./parse.js";
export { reportSchema } from "./json-schemas.js";
export { shown, signed } from "./sentences.js";
export { serializeReport } from "./serialize.js";
export type { Trusted } from "./trusted.js";
export { verifyReport, type Verification } from "./verify.js";
