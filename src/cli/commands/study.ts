import path from "node:path";
import {
  packageFingerprint,
  planStudy,
  runStudy,
  serializeReport,
  studies,
  studyDocument,
  studyPage,
  suggestion,
  type Study,
  type StoredRun,
} from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import {
  commonOptions,
  countOf,
  pairsOf,
  positiveOf,
  requireKnown,
  textOf,
  type Arguments,
} from "../arguments.js";
import { limitOptions } from "../executor-asked.js";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interruptible.js";
import { prepareFolder, writeWhole } from "../output-folder.js";
import { printJson } from "../print-json.js";
import { printStudy } from "../render/study.js";
import { beginRun, defaultStore, endRun, storedPlan, storeFor } from "../stored-runs.js";
import { studyProgress } from "../study-progress.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** The files of a study in its folder. */
const documentName = "study.json";
const pageName = "study.html";

const options = {
  grid: {
    type: "string",
    describe: "other values of an axis, n=128,256 or method=pivoted; may be repeated",
  },
  out: { type: "string", describe: "folder of the study (default studies/NAME)" },
  store: { type: "string", describe: `folder of finished cells (default ${defaultStore})` },
  jobs: { type: "string", describe: "worker threads (default one a core)" },
  ...limitOptions,
} as const;

/** `gradstand study NAME`: computes a declared grid of cells, and says what they say together. */
export const study: Command = {
  path: ["study"],
  positionals: "NAME",
  summary: "compute a declared grid of measurements, with tables and plots",
  describe:
    `Computes every cell of a study's grid and writes study.json and study.html, one file with the plots and tables that needs no network. ` +
    `Cells that measure time or memory run one after another, each alone in a fresh process. Finished cells are stored: the same command goes on where it stopped. ` +
    `Studies: ${[...studies.keys()].join(", ")}.`,
  options,
  example: "study attention-cost --grid n=128,256,512 --grid rank=4,16",
  async run(args: Arguments, terminal: Terminal, line: string): Promise<number> {
    requireKnown(args, "study", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const chosen = studyNamed((args._ as unknown[]).map(String));
    const words = Object.entries(pairsOf(args, "grid")).map(
      ([axis, text]) => [axis, text.split(",")] as const,
    );
    const plan = planStudy(chosen, Object.fromEntries(words));
    const folder = textOf(args, "out") ?? path.join("studies", chosen.name);
    const [jobs, timeout, memory] = [
      countOf(args, "jobs"),
      positiveOf(args, "timeout"),
      countOf(args, "memory"),
    ];
    for (const name of [documentName, pageName]) prepareFolder(folder, name);
    const storeFolder = textOf(args, "store") ?? defaultStore;
    const stored = { study: chosen.name, grid: plan.grid, code: packageFingerprint() };
    const run = storedPlan(stored, folder, storeFolder, args, line);
    const store = beginRun(run, storeFor(storeFolder, terminal));
    const interrupt = interruptible(terminal);
    const progress = studyProgress(chosen.name, terminal);
    try {
      const record = await runStudy(plan, {
        store,
        ...(jobs !== undefined && { jobs }),
        limits: { ...(timeout !== undefined && { timeout }), ...(memory !== undefined && { memory }) },
        onProgress: (event) => progress.update(event),
        signal: interrupt.signal,
        command: line,
      });
      progress.end();
      const document = studyDocument(record);
      const file = path.join(folder, documentName);
      const page = path.join(folder, pageName);
      writeWhole(file, serializeReport(document));
      writeWhole(page, studyPage(document));
      endRun(run);
      if (args.json) printJson("study", { file, page, study: document }, terminal);
      else printStudy(document, { file, page }, terminal);
    } finally {
      progress.end();
      interrupt.end();
    }
    return exitCodes.done;
  },
};

function studyNamed(names: readonly string[]): Study {
  const known = [...studies.keys()];
  if (names.length !== 1)
    fail(
      "E_USAGE",
      `study: expected the name of one study, got ${names.length === 0 ? "none" : names.join(" ")}; there are: ${known.join(", ")}`,
    );
  return (
    studies.get(names[0]!) ??
    fail("E_USAGE", `there is no study '${names[0]!}'; ${suggestion(names[0]!, known)}`)
  );
}

/** The command that a run's file in a folder of a study was written by; undefined for the run of an idea. */
export function studyCommandOf(run: StoredRun): string | undefined {
  return typeof run.plan.study === "string" ? run.command : undefined;
}
