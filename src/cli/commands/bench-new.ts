import fs from "node:fs";
import path from "node:path";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { prepareFolder, writeWhole } from "../output-folder.js";
import { printJson } from "../print-json.js";
import { ideaFiles } from "../templates/idea.js";
import { modelFiles } from "../templates/model.js";
import type { Files } from "../templates/template.js";
import { trackFiles } from "../templates/track.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  track: { type: "boolean", describe: "a track instead of an idea" },
  model: { type: "boolean", describe: "a model instead of an idea" },
  js: { type: "boolean", describe: "in JavaScript instead of TypeScript" },
} as const;

/** Settings of the folder: kept when there are some. */
const configNames = ["gradstand.config.json", "gradstand.config.js", "gradstand.config.ts"];
const config = `${JSON.stringify({ timeout: 1800 }, undefined, 2)}\n`;

/** `gradstand bench new NAME`: an idea, a track or a model to start from. */
export const benchNew: Command = {
  path: ["bench", "new"],
  positionals: "NAME",
  summary: "an idea, a track or a model of your own to start from",
  describe:
    "Writes NAME.ts with an idea that runs as it is, NAME.test.ts with its property test, NAME.md with the commands, and gradstand.config.json " +
    "with settings of bench run, into this folder. What is there already is never written over.",
  options,
  example: "bench new my-idea",
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "bench new", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const name = nameOf(args);
    if (args.track === true && args.model === true)
      fail("E_USAGE", "bench new: expected --track or --model, got both");
    const ending = args.js === true ? "js" : "ts";
    const kind = args.track === true ? "track" : args.model === true ? "model" : "idea";
    const make = { idea: ideaFiles, track: trackFiles, model: modelFiles }[kind];
    const files: Record<string, string> = { ...make({ name, ending }) };
    if (!configNames.some((file) => fs.existsSync(file))) files[configNames[0]!] = config;
    requireNew(files);
    prepareFolder(".", `${name}.${ending}`);
    for (const [file, text] of Object.entries(files)) writeWhole(file, text);
    if (args.json) printJson("bench new", { kind, name, files: Object.keys(files) }, terminal);
    else {
      terminal.out(`wrote ${Object.keys(files).join(", ")}`);
      terminal.out(`next: npx gradstand bench run ${runWords(kind, `./${name}.${ending}`)} --preset quick`);
    }
    return exitCodes.done;
  },
};

function runWords(kind: "idea" | "track" | "model", file: string): string {
  return kind === "idea" ? file : `moment-rank2 --${kind} ${file}`;
}

function nameOf(args: Arguments): string {
  const names = (args._ as unknown[]).map(String);
  const [name] = names;
  if (names.length !== 1 || name === undefined)
    fail("E_USAGE", `bench new: expected one name, got ${names.length === 0 ? "none" : names.join(" ")}`);
  if (!/^[A-Za-z][\w-]*$/.test(name))
    fail("E_USAGE", `bench new: expected a name of letters, digits, - and _, such as my-idea, got "${name}"`);
  return name;
}

/** Throws E_OUTPUT naming every file that is there already; nothing was written then. */
function requireNew(files: Files): void {
  const there = Object.keys(files).filter((file) => fs.existsSync(file));
  if (there.length > 0)
    fail(
      "E_OUTPUT",
      `bench new: ${there.join(", ")} ${there.length === 1 ? "is" : "are"} there already in ${path.resolve()}; choose another name, or move ` +
        `${there.length === 1 ? "it" : "them"} away. Nothing was written`,
      { cause: Object.assign(new Error("it exists"), { code: "EEXIST" }) },
    );
}
