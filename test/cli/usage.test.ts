import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand } from "./command.js";
import { inProcessAt } from "./recording-terminal.js";

/** A command line that must be refused: words, what its message must say. */
const refused: readonly (readonly [words: string, message: RegExp])[] = [
  ["bench run moment-rnk2", /E_IDEA.*no idea is called 'moment-rnk2'.*did you mean 'moment-rank2'/],
  ["bench run moment-rank2 --presett quick", /E_USAGE.*no option --presett.*did you mean '--preset'/],
  ["bench run moment-rank2 --preset quik", /E_USAGE.*no preset is called 'quik'.*did you mean 'quick'/],
  [
    "bench run moment-rank2 --track dynamic",
    /E_TRACK.*no track is called 'dynamic'.*did you mean 'dynamics'/,
  ],
  [
    "bench run moment-rank2 --model rnn_smal",
    /E_TRACK.*no model is called 'rnn_smal'.*did you mean 'rnn_small'/,
  ],
  ["bench run moment-rank2 --seeds 3", /E_PLAN.*3 paired seeds.*2\/2\^3.*at least 6 seeds/],
  ["bench run moment-rank2 --seeds 5", /E_PLAN.*2\/2\^5/],
  ["bench run moment-rank2 --seeds many", /E_USAGE.*--seeds: expected a whole number.*got "many"/],
  ["bench run moment-rank2 --seeds 0", /E_USAGE.*--seeds: expected a whole number of at least 1, got "0"/],
  ["bench run moment-rank2 --seeds", /E_USAGE: --seeds: expected a value after it/],
  ["bench run moment-rank2 --out --seeds 8", /E_USAGE: --out: expected a value after it/],
  ["bench run moment-rank2 --option", /E_USAGE: --option: expected name=value, got ""/],
  ["bench run moment-rank2 --no-preset", /E_USAGE: there is no option --no-preset; leave --preset out/],
  ["bench list --json=maybe", /E_USAGE: --json: expected true, false or nothing after it, got "maybe"/],
  ["bench list --color=red", /E_USAGE: --color: expected true, false or nothing after it, got "red"/],
  ["bench run moment-rank2 --jobs 1.5", /E_USAGE.*--jobs: expected a whole number/],
  ["bench run moment-rank2 --timeout 0", /E_USAGE.*--timeout: expected a number above 0, got "0"/],
  ["bench run moment-rank2 --timeout 1e3", /E_USAGE.*--timeout: expected a number above 0, got "1e3"/],
  ["bench run moment-rank2 --memory -5", /E_USAGE.*--memory: expected/],
  ["bench run moment-rank2 --preset quick --preset seed", /E_USAGE.*--preset: expected it once/],
  ["bench run moment-rank2 --option rnk=3", /E_IDEA.*rnk.*rank/],
  [
    "bench run moment-rank2 --option rank=2 --option rank=3",
    /E_USAGE.*rank is given twice, as rank=2 and rank=3/,
  ],
  ["--jsno", /E_USAGE.*expected a command before --jsno/],
  ["bench run moment-rank2 --option rank", /E_USAGE.*expected name=value, got "rank"/],
  ["bench run moment-rank2 moment-rank2", /E_USAGE.*named twice/],
  ["bench run", /E_USAGE.*expected the name of an idea/],
  ["bench rum moment-rank2", /E_USAGE.*no command 'bench rum'.*did you mean 'run'/],
  ["bech list", /E_USAGE.*no command 'bech'.*did you mean 'bench'/],
  ["bench list extra", /E_USAGE.*expected nothing after it/],
  ["bench verify", /E_USAGE.*expected one report file, got none/],
  ["bench verify no-such-file.json", /E_USAGE.*cannot read no-such-file.json/],
  ["explain E_SHAP", /E_USAGE.*no error code 'E_SHAP'.*did you mean 'E_SHAPE'/],
  ["doctor --jsn", /E_USAGE.*no option --jsn.*did you mean '--json'/],
];

test.each(refused)(
  "gradstand %s is refused with exit code 2, one clear line, and nothing written",
  async (words, message) => {
    const folder = emptyFolder();
    const { code, out, err } = await inProcessAt(words.split(" "), folder);
    expect(err).toMatch(message);
    expect(out).toBe("");
    expect(code).toBe(2);
    expect(err.trim().split("\n").length).toBeLessThanOrEqual(2);
    expect(filesBelow(folder)).toEqual([]);
  },
);

test("a file where the report's folder should be is refused before anything is trained", async () => {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "reports"), "mine");
  const { code, err } = await inProcessAt("bench run moment-rank2 --preset quick".split(" "), folder);
  expect(err).toMatch(
    /E_OUTPUT: cannot write into the folder reports.moment-rank2.*name another folder with --out/,
  );
  expect(code).toBe(2);
  expect(fs.readFileSync(path.join(folder, "reports"), "utf8")).toBe("mine");
  expect(filesBelow(folder)).toEqual(["reports"]);
});

test("a file where the store should be is refused before anything is trained", async () => {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "cells"), "mine");
  const { code, err } = await inProcessAt(
    "bench run moment-rank2 --preset quick --store cells".split(" "),
    folder,
  );
  expect(err).toMatch(/E_STORE/);
  expect(code).toBe(2);
  expect(fs.readFileSync(path.join(folder, "cells"), "utf8")).toBe("mine");
});

test("a folder where the report should be is refused before anything is trained", async () => {
  const folder = emptyFolder();
  fs.mkdirSync(path.join(folder, "out", "bench_report.json"), { recursive: true });
  const { code, err } = await inProcessAt(
    "bench run moment-rank2 --preset quick --out out".split(" "),
    folder,
  );
  expect(err).toMatch(/E_OUTPUT: cannot write out.bench_report.json: a folder of that name is there/);
  expect(code).toBe(2);
});

test.runIf(process.platform === "linux")(
  "a folder that the system refuses ends at once with a message",
  async () => {
    const { code, err } = await gradstand(
      "bench run moment-rank2 --preset quick --out /proc/nothing/here".split(" "),
    );
    expect(err).toMatch(
      /E_OUTPUT: cannot write into the folder \/proc\/nothing\/here.*name another folder with --out/,
    );
    expect(code).toBe(2);
  },
);

test("an unknown set of kernels is refused", async () => {
  const { code, err } = await gradstand(["bench", "list"], emptyFolder(), { GRADSTAND_KERNELS: "fast" });
  expect(err).toMatch(/E_KERNELS: expected one of reference.*got "fast"/);
  expect(code).toBe(2);
});

test("a result that cannot be written to stdout is an error, not silence", async () => {
  if (!fs.existsSync("/dev/full")) return expect(process.platform).not.toBe("linux");
  const { spawnSync } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const full = fs.openSync("/dev/full", "w");
  const run = spawnSync(process.execPath, [main, "explain"], { stdio: ["ignore", full, "pipe"] });
  fs.closeSync(full);
  expect(run.stderr.toString()).toMatch(/cannot write the result to stdout/);
  expect(run.status).toBe(4);
});

test("help goes to stdout with exit code 0; no command at all prints it to stderr with exit code 2", async () => {
  const asked = await gradstand(["--help"]);
  expect(asked.code).toBe(0);
  expect(asked.out).toMatch(/gradstand bench run IDEA/);
  const run = await gradstand(["bench", "run", "--help"]);
  expect(run.code).toBe(0);
  expect(run.out).toMatch(/--preset/);
  const nothing = await gradstand([]);
  expect(nothing.code).toBe(2);
  expect(nothing.out).toBe("");
  expect(nothing.err).toMatch(/gradstand bench list/);
});
