import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** What a command printed and how it ended. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Starts the compiled command line in a folder. */
export function start(
  words: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): { process: ChildProcess; outcome: Promise<Outcome> } {
  return startFile(main, words, folder, env);
}

/** Starts a compiled command line, of another copy of the package maybe, in a folder. */
export function startFile(
  file: string,
  words: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): { process: ChildProcess; outcome: Promise<Outcome> } {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !["NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"].includes(name),
    ),
  );
  const child = spawn(process.execPath, [file, ...words], { cwd: folder, env: { ...clean, ...env } });
  let out = "";
  let err = "";
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  const outcome = new Promise<Outcome>((resolve) => child.on("close", (code) => resolve({ code, out, err })));
  return { process: child, outcome };
}

/** Runs the compiled command line in a folder and waits for its end. */
export function gradstand(
  words: readonly string[],
  folder = os.tmpdir(),
  env: Record<string, string> = {},
): Promise<Outcome> {
  return start(words, folder, env).outcome;
}

const folders: string[] = [];
process.once("exit", () => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

/** A new empty folder, removed when the tests of the file have ended. */
export function emptyFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-test-"));
  folders.push(folder);
  return folder;
}

/** Every file below a folder, by its path from there. */
export function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}
