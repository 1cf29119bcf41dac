import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand } from "../cli/command.js";
import {
  cellsIn,
  expectNoTemporaries,
  expectNothingHalfWritten,
  reportFolder,
  reportValues,
  smallRun,
} from "./runs.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const clock = fileURLToPath(new URL("./fixtures/jumping-clock.mjs", import.meta.url));

/** Whether this process may mount a file system of its own. */
const mayMount = spawnSync("unshare", ["-rm", "true"]).status === 0;

/**
 * What a script prints in which `gradstand` is the command line, `small FOLDER` mounts a disk that has 128 KiB left and `grow FOLDER`
 * frees 16 MiB there; the disk is gone when the script ends. Nothing is mounted again: ordinary users may not everywhere.
 */
function onSmallDisk(script: string, folder: string): string {
  const definitions = [
    `gradstand() { '${process.execPath}' '${main}' "$@" 2>&1; }`,
    "small() { mkdir -p $1 && mount -t tmpfs -o size=16512k tmpfs $1 && head -c 16384k /dev/zero > $1/most; }",
    "grow() { rm $1/most; }",
  ];
  const { stdout } = spawnSync("unshare", ["-rm", "sh", "-c", [...definitions, script].join("\n")], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout;
}

const run = smallRun.join(" ");

test.runIf(mayMount)(
  "a store on a disk that fills up: nothing half-written, and the run goes on when there is room",
  async () => {
    const folder = emptyFolder();
    const said = onSmallDisk(
      `small disk; gradstand ${run} --store disk/cells; echo "code $?"; find disk -type f; echo resumed
     grow disk; gradstand bench resume ${reportFolder}; echo "code $?"`,
      folder,
    );
    const [first, second] = said.split("resumed\n");
    expect(first).toMatch(/E_STORE: cannot (write|note a cell in) .*: the disk is full; free some space/);
    expect(first).toContain(`To go on where it stopped: npx gradstand bench resume ${reportFolder}`);
    expect(first).toMatch(/code 4/);
    expect(first).toMatch(/cells\/\w{64}\.json\n/);
    expect(first).not.toMatch(/\.tmp/);
    expect(second).toMatch(/\(stored/);
    expect(second).toMatch(/code 0/);
    const whole = emptyFolder();
    await gradstand(smallRun, whole);
    expect(reportValues(folder)).toBe(reportValues(whole));
  },
);

test.runIf(mayMount)(
  "a report on a disk that fills up: the cells are kept, and the report comes when there is room",
  () => {
    const folder = emptyFolder();
    const said = onSmallDisk(
      `small disk; mkdir disk/out; head -c 100k /dev/zero > disk/filler; gradstand ${run} --out disk/out; echo "code $?"; ls disk/out; echo resumed
     rm disk/filler; gradstand bench resume disk/out; echo "code $?"; ls disk/out`,
      folder,
    );
    const [first, second] = said.split("resumed\n");
    expect(first).toMatch(/E_OUTPUT: cannot write disk\/out\/bench_report\.(json|html): .*the disk is full/);
    expect(first).toMatch(/code 4/);
    expect(first).not.toMatch(/\.tmp/);
    expect(second).not.toMatch(/\d s\)/);
    expect(second).toMatch(/code 0\nbench_report.html\nbench_report.json\nbench_run.json/);
  },
);

test.runIf(mayMount)("a file system that may only be read is refused before anything is trained", () => {
  const said = onSmallDisk(
    `mkdir -p disk/out && mount -t tmpfs -o ro tmpfs disk/out
     gradstand ${run} --out disk/out; echo "code $?"; gradstand ${run} --store disk/out; echo "code $?"`,
    emptyFolder(),
  );
  expect(said).toMatch(
    /E_OUTPUT: cannot write into the folder disk\/out: EROFS[^]*code 2\n[^]*E_STORE: .*the file system is read-only/,
  );
  expect(said.match(/code 2/g)).toHaveLength(2);
  expect(said).not.toMatch(/training/);
});

test("a wall clock that jumps by years changes no value, and no time is measured by it", async () => {
  const [folder, whole] = [emptyFolder(), emptyFolder()];
  const { code, err } = await gradstand(smallRun, folder, { NODE_OPTIONS: `--import ${clock}` });
  expect(err).not.toMatch(/E_[A-Z]+/);
  expect(code).toBe(0);
  await gradstand(smallRun, whole);
  expect(reportValues(folder)).toBe(reportValues(whole));
  const report = JSON.parse(
    (await gradstand(["bench", "report", reportFolder, "--csv", "--json"], folder)).out,
  ) as { holds: boolean };
  expect(report.holds).toBe(true);
  const { bench_report: bench } = JSON.parse(
    fs.readFileSync(path.join(folder, reportFolder, "bench_report.json"), "utf8"),
  ) as { bench_report: { provenance: { seconds: number }; cells: { seconds: number }[] } };
  for (const seconds of [bench.provenance.seconds, ...bench.cells.map((cell) => cell.seconds)]) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(300);
  }
  expectNoTemporaries(folder);
});

test("two processes that run the same plan on one store at once both end well, with the same values and each cell once", async () => {
  const [one, two] = [emptyFolder(), emptyFolder()];
  const words = [...smallRun, "--store", `${emptyFolder()}/cells`];
  const outcomes = await Promise.all([gradstand(words, one), gradstand(words, two)]);
  for (const { code, err } of outcomes) {
    expect(err).not.toMatch(/E_[A-Z]+/);
    expect(code).toBe(0);
  }
  expect(reportValues(two)).toBe(reportValues(one));
  expect(filesBelow(words.at(-1)!).filter((file) => /^\w{64}\.json$/.test(file))).toHaveLength(14);
});

test("cells that were cut off, altered, exchanged or replaced by a folder are named, moved aside and computed again", async () => {
  const folder = emptyFolder();
  await gradstand(smallRun, folder);
  const values = reportValues(folder);
  const store = `${folder}/.gradstand/cells`;
  const cells = fs.readdirSync(store).filter((name) => /^\w{64}\.json$/.test(name));
  const [cut, altered, one, other, replaced, empty] = cells.map((name) => `${store}/${name}`) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  fs.truncateSync(cut, Math.floor(fs.statSync(cut).size / 2));
  fs.writeFileSync(
    altered,
    fs.readFileSync(altered, "utf8").replace(/"status":"ok"|"confirmed":true/, '"status":"OK"'),
  );
  const text = fs.readFileSync(one);
  fs.copyFileSync(other, one);
  fs.writeFileSync(other, text);
  fs.rmSync(replaced);
  fs.mkdirSync(replaced);
  fs.writeFileSync(empty, "");
  const { code, err } = await gradstand(smallRun, folder);
  expect(code).toBe(0);
  for (const file of [cut, altered, one, other, replaced, empty]) {
    expect(err).toContain(`the stored cell ${file} cannot be used (`);
    expect(err).toContain(`it was moved to ${file}.corrupt and is computed again`);
    expect(fs.existsSync(`${file}.corrupt`)).toBe(true);
    expect(fs.statSync(file).isFile()).toBe(true);
  }
  expect(err.match(/cannot be used/g)).toHaveLength(6);
  expect(reportValues(folder)).toBe(values);
});

test("a run of which every cell takes longer than it may ends, and nothing of it is stored", async () => {
  const folder = emptyFolder();
  const slow = "bench run moment-rank2 --preset quick --train 8 --test 8 --epochs 1000000".split(" ");
  const { code, err } = await gradstand([...slow, "--timeout", "4"], folder);
  expect(err).toMatch(
    /E_TIMEOUT: the cell (baseline|idea) lr=\S+ seed=\d+ took longer than 4 s, which is all it may/,
  );
  expect(err).toContain(`To go on where it stopped: npx gradstand bench resume ${reportFolder}`);
  expect(code).toBe(4);
  expect(cellsIn(folder)).toEqual([]);
  expectNothingHalfWritten(folder);
  expectNoTemporaries(folder);
});
