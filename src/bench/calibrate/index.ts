export { calibrate, calibrationRuns, type Calibration, type CalibrationSettings } from "./calibrate.js";
export type { CalibrationRow } from "./row.js";
