export type { CheckLine } from "./check-line.js";
export { gradcheckFile, type FileOptions, type FileReport } from "./run.js";
