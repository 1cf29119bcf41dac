import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand, type Outcome } from "../cli/command.js";
import { cellsIn, expectNoTemporaries, reportFolder, smallRun } from "./runs.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Runs a shell script in which `gradstand` is the command line. */
function shell(script: string, folder: string, user?: number): Promise<Outcome> {
  const definition = `gradstand() { '${process.execPath}' '${main}' "$@"; }\n`;
  const child = spawn("sh", ["-c", definition + script], {
    cwd: folder,
    ...(user !== undefined && { uid: user, gid: user }),
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

const run = `gradstand ${smallRun.join(" ")}`;
const onPosix = test.runIf(process.platform !== "win32");

onPosix(
  "a limit on the size of files ends the run as a full disk would: nothing half-written, and it goes on without the limit",
  async () => {
    const folder = emptyFolder();
    // 20 blocks of 512 bytes: the plan fits, a cell does not.
    const { code, err } = await shell(`ulimit -f 20; ${run}`, folder);
    expect(err).toMatch(
      /E_STORE: cannot write .*cells.\w{64}\.json: the file would be larger than is allowed.*EFBIG/,
    );
    expect(err).toContain(`To go on where it stopped: npx gradstand bench resume ${reportFolder}`);
    expect(code).toBe(4);
    expect(cellsIn(folder)).toEqual([]);
    expectNoTemporaries(folder);
  },
);

const nobody = 65534;
const isRoot = process.getuid?.() === 0;

onPosix(
  "a folder that may only be read is refused before anything is trained, as store and for the report",
  async (context) => {
    const folder = emptyFolder();
    fs.chmodSync(folder, 0o755);
    fs.mkdirSync(path.join(folder, "locked"));
    if (isRoot) fs.mkdirSync(path.join(folder, "open"));
    if (isRoot) fs.chownSync(path.join(folder, "open"), nobody, nobody);
    fs.chmodSync(path.join(folder, "locked"), 0o555);
    const user = isRoot ? nobody : undefined;
    if ((await shell("gradstand doctor", folder, user)).code !== 0)
      context.skip("the other user cannot read this package");
    const store = await shell(`${run} --out open/out --store locked/cells`, folder, user);
    expect(store.err).toMatch(
      /E_STORE: cannot use as the store of cells .*locked.cells: permission was denied/,
    );
    expect(store.code).toBe(2);
    const report = await shell(`${run} --out locked/out --store open/cells`, folder, user);
    expect(report.err).toMatch(
      /E_OUTPUT: cannot write into the folder locked.out: EACCES.*name another folder with --out/,
    );
    expect(report.code).toBe(2);
    expect(filesBelow(folder)).toEqual([]);
  },
);

test("a path below a file is refused before anything is trained", async () => {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "file"), "mine");
  const { code, err } = await gradstand([...smallRun, "--store", "file/cells"], folder);
  expect(err).toMatch(
    /E_STORE: cannot use as the store of cells .*file.cells: a file stands where a folder is needed/,
  );
  expect(code).toBe(2);
  expect(filesBelow(folder)).toEqual(["file"]);
});
