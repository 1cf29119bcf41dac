export { planStudy, type StudyPlan } from "./plan-study.js";
export { runStudy, type OmittedCell, type StudyRecord, type StudySettings } from "./run-study.js";
export { studies } from "./studies.js";
export type { StudyEvent } from "./study-progress.js";
export type {
  StudiedModel,
  Study,
  StudyAxis,
  StudyCell,
  StudyGrid,
  StudyPlot,
  StudyPresentation,
  StudySeries,
  StudyTable,
} from "./study.js";
export { cellText } from "./cell-text.js";
export { studyDocument, type StudyDocument } from "./study-document.js";
export { studySchema } from "./study-schema.js";
export { studyPage } from "./html/study-page.js";
