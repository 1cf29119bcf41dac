/** A copy of the project in a temporary folder, in which mutants are put and taken out again: the tree is never written. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mutated, root } from "./table.mjs";

/** What a copy does without: it is made anew, or no test named in the table reads it. */
const leftOut = new Set([".git", "node_modules", "dist", "coverage", "reports", ".gradstand"]);

/** What the kernels of `file` are compiled into; undefined when it is no source of a kernel. */
function compiledFolder(file) {
  const at = file.indexOf("/assembly/");
  return at < 0 ? undefined : join(file.slice(0, at), "wasm");
}

export class Workspace {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "gradstand-mutation-"));
    for (const part of readdirSync(root)) {
      if (!leftOut.has(part)) cpSync(join(root, part), join(this.folder, part), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"), "dir");
  }

  /** Puts a mutant in and returns the files that it changed with the function that takes it out again. */
  apply(mutant) {
    const before = new Map();
    const keep = (file) => before.set(file, readFileSync(file, "utf8"));
    const source = join(this.folder, mutant.file);
    keep(source);
    const compiled = compiledFolder(mutant.file);
    if (compiled)
      for (const name of readdirSync(join(this.folder, compiled))) keep(join(this.folder, compiled, name));
    const undo = () => {
      for (const [file, text] of before) writeFileSync(file, text);
    };
    writeFileSync(source, mutated(before.get(source), mutant));
    try {
      if (compiled) this.#compile(mutant.kernels);
    } catch (error) {
      undo();
      throw error;
    }
    return { files: [...before.keys()], undo };
  }

  #compile(kernels) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ["scripts/build-kernels.mjs", "--fast", "--only", kernels.join(",")],
      {
        cwd: this.folder,
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(`the kernels do not compile: ${stderr}`);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Removes the copy of a worker that was killed. */
export function removeFolder(folder) {
  if (dirname(folder) === tmpdir()) rmSync(folder, { recursive: true, force: true });
}
