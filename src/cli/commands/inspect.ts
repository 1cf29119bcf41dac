import path from "node:path";
import { models, suggestion } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import {
  findings,
  inspectStep,
  toDot,
  toMermaid,
  toSvg,
  trainingStep,
  type InspectDocument,
} from "../../inspect/index.js";
import {
  commonOptions,
  countOf,
  pairsOf,
  positiveOf,
  requireKnown,
  textOf,
  type Arguments,
} from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { interruption } from "../inspect/interruption.js";
import { servePage } from "../inspect/page-server.js";
import { inspectionPage } from "../inspect/page.js";
import { recordFile } from "../inspect/record-file.js";
import type { RecordOptions } from "../inspect/record-messages.js";
import { writeWhole } from "../output-folder.js";
import { printJson } from "../print-json.js";
import { printFindings } from "../render/findings.js";
import { printInspection } from "../render/inspection.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** Of a built-in model. */
const modelOptions = {
  idea: { type: "string", describe: "of a model: an idea by name, which changes it" },
  option: { type: "string", array: true, describe: "of the idea: name=value" },
  track: { type: "string", describe: "of a model: the track that the series are of" },
  steps: { type: "string", describe: "of a model: the last so many steps of each series (all)" },
  batch: { type: "string", describe: "of a model: series in the batch (4)" },
} as const;

const options = {
  ...modelOptions,
  only: { type: "string", describe: "of a file: the export that is meant, where there are several" },
  seed: {
    type: "string",
    describe: "the seed of what is drawn: parameters, data, inputs of a signature (0)",
  },
  unfused: { type: "boolean", describe: "compose GRU, attention, norms and losses of elementary operations" },
  full: { type: "string", describe: "keep arrays of at most so many elements whole (32)" },
  why: { type: "boolean", describe: "say where NaN, infinities, zero and missing gradients come from" },
  html: {
    type: "boolean",
    describe: "write a page that works offline, into --out or a file named after WHAT",
  },
  dot: { type: "boolean", describe: "print a graph for Graphviz" },
  mermaid: { type: "boolean", describe: "print a Mermaid flowchart" },
  svg: { type: "boolean", describe: "print a drawing" },
  most: { type: "string", describe: "lines of the tree (40), boxes of a drawing; what is beyond is closed" },
  out: { type: "string", describe: "write into this file instead of stdout" },
  serve: {
    type: "boolean",
    describe: "serve the page on 127.0.0.1 until Ctrl-C; WHAT is recorded anew at each load",
  },
  port: { type: "string", describe: "with --serve: the port (one that is free)" },
  timeout: { type: "string", describe: "of a file: seconds that its import and its run may take (60)" },
} as const;

/** The forms in which a document can be written, by the option that asks for one. */
const writers: Readonly<
  Record<string, (document: InspectDocument, most: { readonly most?: number }) => string>
> = {
  json: (document) => `${JSON.stringify(document)}\n`,
  html: inspectionPage,
  dot: toDot,
  mermaid: toMermaid,
  svg: toSvg,
};

const format = `WHAT is a built-in model (${[...models.keys()].join(", ")}), whose first training step is recorded, or a TypeScript or
JavaScript file, which needs no build step and exports what is to be recorded:

  export const model = new Linear(3, 1, { rng });        // gives names to parameters
  export default () => mseLoss(model.forward(x), y);     // a function without parameters,
  gate.inputs = [tensor([1, 2])];                        //   or one with inputs or a signature,
                                                         //   as gradstand gradcheck takes it

The forward pass and the backward pass are recorded; the gradients are those of backward(), to the last bit. Shown is a tree of
modules and operations with shapes and gradient norms; what was not computed is told apart from what is 0. Exit 2 when WHAT
cannot be used.`;

/** `gradstand inspect WHAT`: a recorded computation and its backward pass. */
export const inspect: Command = {
  path: ["inspect"],
  positionals: "WHAT",
  summary: "record a computation and look at its gradients",
  describe: format,
  options,
  example: "inspect rnn_small --idea moment-rank2 --steps 32",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "inspect", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const words = (args._ as unknown[]).map(String);
    if (words.length !== 1)
      fail(
        "E_USAGE",
        `inspect: expected one model or file, got ${words.length === 0 ? "none" : words.join(" ")}; models: ${[...models.keys()].join(", ")}`,
      );
    const why = args.why === true;
    const forms = Object.keys(writers).filter((form) => args[form] === true && !(why && form === "json"));
    const asked = [...(why ? ["why"] : []), ...forms];
    if (asked.length > 1)
      fail("E_USAGE", `inspect: expected one of ${asked.map((form) => `--${form}`).join(", ")}`);
    const most = countOf(args, "most");
    const recorder = recorderOf(words[0]!, args);
    if (args.serve === true) {
      const stray = [...asked.filter((name) => name !== "html"), "json", "out", "most"].find(
        (name) => args[name] !== undefined && args[name] !== false,
      );
      if (stray !== undefined)
        fail("E_USAGE", `--${stray}: it does not go with --serve, which shows the page`);
      return serve(recorder, countOf(args, "port", 0) ?? 0, terminal);
    }
    if (args.port !== undefined) fail("E_USAGE", "--port: it belongs to --serve");
    const document = await recorder();
    const out = textOf(args, "out") ?? (args.html === true ? pageFileOf(words[0]!) : undefined);
    const lines: string[] = [];
    const target: Terminal =
      out === undefined ? terminal : { ...terminal, out: (text) => void lines.push(text) };
    const [form] = forms;
    if (form !== undefined)
      target.out(writers[form]!(document, { ...(most !== undefined && { most }) }).trimEnd());
    else if (why && args.json === true)
      printJson("inspect", { subject: document.subject, findings: findings(document) }, target);
    else if (why) printFindings(document, target);
    else printInspection(document, target, most ?? 40);
    if (out !== undefined) {
      writeWhole(out, `${lines.join("\n")}\n`);
      terminal.err(`written: ${out}`);
    }
    return exitCodes.done;
  },
};

/** Where the page goes when it is not said: `rnn_small.html`, `my-loss.html`, in the working folder. */
function pageFileOf(word: string): string {
  return `${path.basename(word, path.extname(word))}.html`;
}

/** Records anew each time. */
type Recorder = (signal?: AbortSignal) => Promise<InspectDocument>;

/** Serves the page of what is recorded, until Ctrl-C. */
async function serve(recorder: Recorder, port: number, terminal: Terminal): Promise<number> {
  const stop = new AbortController();
  const { url, close } = await servePage(async () => inspectionPage(await recorder(stop.signal)), port);
  terminal.out(url);
  terminal.err("each load records anew; Ctrl-C ends it");
  await interruption();
  stop.abort();
  await close();
  return exitCodes.interrupted;
}

/**
 * Records the model or file that a word names, each time that it is called. Throws `E_USAGE` and what a training step throws at once; the
 * recorder throws what a file throws.
 */
function recorderOf(word: string, args: Arguments): Recorder {
  const seed = countOf(args, "seed", 0) ?? 0;
  const options: RecordOptions = {
    unfused: args.unfused === true,
    full: countOf(args, "full") ?? 32,
    replayable: args.html === true || args.serve === true,
  };
  if (models.has(word)) {
    if (args.only !== undefined)
      fail("E_USAGE", "--only: a built-in model has one training step; leave it out");
    const step = trainingStep(word, {
      idea: textOf(args, "idea"),
      ideaOptions: pairsOf(args, "option"),
      track: textOf(args, "track"),
      steps: countOf(args, "steps"),
      seed,
      batch: countOf(args, "batch") ?? 4,
    });
    if (args.timeout !== undefined)
      fail("E_USAGE", `--timeout: it belongs to a file, and ${word} is a built-in model`);
    return () => Promise.resolve(inspectStep(step, options));
  }
  if (path.extname(word) === "" && !word.includes("/"))
    fail(
      "E_USAGE",
      `inspect: no model is called '${word}'; ${suggestion(word, models.keys())}, or name a file`,
    );
  const stray = Object.keys(modelOptions).find((name) => args[name] !== undefined);
  if (stray !== undefined)
    fail("E_USAGE", `--${stray}: it belongs to a built-in model, and ${word} is a file`);
  const request = {
    file: word,
    only: textOf(args, "only"),
    seed,
    timeout: positiveOf(args, "timeout") ?? 60,
  };
  return (signal) => recordFile(request, options, signal);
}
