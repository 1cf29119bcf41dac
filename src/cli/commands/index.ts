import { benchCalibrate } from "./bench-calibrate.js";
import { benchCompare } from "./bench-compare.js";
import { benchList } from "./bench-list.js";
import { benchGc } from "./bench-gc.js";
import { benchNew } from "./bench-new.js";
import { benchPlan } from "./bench-plan.js";
import { benchReport } from "./bench-report.js";
import { benchResume } from "./bench-resume.js";
import { benchRun } from "./bench-run.js";
import { benchVerify } from "./bench-verify.js";
import { benchWorker } from "./bench-worker.js";
import type { Command } from "./command.js";
import { doctor } from "./doctor.js";
import { explain } from "./explain.js";
import { gradcheck } from "./gradcheck.js";
import { inspect } from "./inspect.js";
import { study } from "./study.js";

export type { Command } from "./command.js";

/** Every command by its words. */
export const commands: ReadonlyMap<string, Command> = new Map(
  [
    benchList,
    benchPlan,
    benchRun,
    benchResume,
    benchReport,
    benchCompare,
    benchVerify,
    benchCalibrate,
    benchNew,
    benchGc,
    benchWorker,
    study,
    gradcheck,
    inspect,
    explain,
    doctor,
  ].map((command) => [command.path.join(" "), command]),
);
