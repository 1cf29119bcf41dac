export { buildFamilyReport, type FamilyPlan } from "./build-family.js";
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
  type Family,
  type FamilyMember,
  type FloorFigures,
  type FurtherMetricFigures,
  type Report,
  type ReportV2,
  type StageReport,
  type Statistics,
  type Tuning,
} from "./document-v2.js";
export type {
  ControlComparison,
  ControlFigures,
  ControlsSection,
  ControlWords,
  IdeaBesideControl,
} from "./document-controls.js";
export { cellsCsv } from "./cells-csv.js";
export { reportPage } from "./html/report-page.js";
export { compareRuns, type RunComparison, type SideBySide } from "./compare/compare-runs.js";
export type { PairedDifference, SharedSeeds } from "./compare/paired-difference.js";
export type { SettingComparison, SettingPair } from "./compare/settings.js";
export type { Judgement } from "./judge.js";
export type { Fault } from "./localise-fault.js";
export { reportMarkdown } from "./markdown.js";
export { parseReport } from "./parse.js";
export { plainVerdict, type PlainVerdict } from "./present/plain-verdict.js";
export { configName } from "./present/sweep-rows.js";
export { phraseText, type Phrase } from "./present/phrase.js";
export { figureText, type Figure } from "./present/figure.js";
export { reportView, type ReportView } from "./present/report-view.js";
export { visibleText, visibleTexts } from "./present/visible-text.js";
export { reportSchema } from "./json-schemas.js";
export { shown, signed } from "./sentences.js";
export { serializeReport } from "./serialize.js";
export type { Trusted } from "./trusted.js";
export { verifyReport, type Verification } from "./verify.js";
