import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { errorCodes } from "../../src/errors/index.js";
import { temporaryFolder } from "../bench/store/example-cell.js";
import { gradstand } from "./command.js";
import { inProcess } from "./recording-terminal.js";

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

test("bench list shows ideas, tracks, models and presets, as text and as one JSON document", async () => {
  const text = await gradstand(["bench", "list"]);
  expect(text.code).toBe(0);
  for (const name of [
    "moment-rank2",
    "residual-pivoted",
    "dynamics",
    "sequence",
    "field",
    "recall",
    "rnn_small",
    "transformer_tiny",
    "seed",
    "quick",
  ]) {
    expect(text.out).toContain(name);
  }
  const listed = json((await inProcess(["bench", "list", "--json"])).out);
  expect(listed.schemaVersion).toBe(1);
  expect(text.out).toContain("controls plain-t2 plain-t3");
  expect(text.out).toMatch(/recall {2}associative recall \(accuracy, higher is better, transformer_tiny\)/);
  expect(text.out).toMatch(
    /field {2}[^]*floors mean, last value, ridge\n {4}takes rnn_small with moment-rank2\n/,
  );
  const tracks = listed.tracks as {
    name: string;
    floors: string[];
    fits: { model: string; ideas: string[] }[];
  }[];
  expect(tracks.find(({ name }) => name === "recall")!.fits).toContainEqual({
    model: "transformer_tiny",
    ideas: ["residual-pivoted"],
  });
  expect((listed.ideas as { name: string }[]).map(({ name }) => name)).toEqual([
    "moment-rank2",
    "residual-pivoted",
  ]);
});

test("colour follows FORCE_COLOR, NO_COLOR, --color and --no-color, the last of which wins", async () => {
  const coloured = (text: string): boolean => text.includes("\u001b[");
  expect(coloured((await gradstand(["doctor"])).out)).toBe(false);
  expect(coloured((await gradstand(["doctor"], undefined, { FORCE_COLOR: "1" })).out)).toBe(true);
  expect(coloured((await gradstand(["doctor"], undefined, { FORCE_COLOR: "1", NO_COLOR: "1" })).out)).toBe(
    false,
  );
  expect(coloured((await gradstand(["doctor", "--no-color"], undefined, { FORCE_COLOR: "1" })).out)).toBe(
    false,
  );
  const flagged = async (...flags: string[]): Promise<boolean> =>
    coloured((await gradstand(["doctor", ...flags], undefined, { NO_COLOR: "1" })).out);
  expect(await flagged("--color")).toBe(true);
  expect(await flagged("--no-color", "--color=true")).toBe(true);
  expect(await flagged("--color", "--color=false")).toBe(false);
});

test("doctor says where each setting of a run comes from, and finds one that does not exist", async () => {
  const folder = temporaryFolder();
  const settingsIn = async (env: Record<string, string>) => {
    const { code, out } = await gradstand(["doctor", "--json"], folder, env);
    const { findings } = JSON.parse(out) as { findings: { name: string; value: string; from: string }[] };
    return { code, found: findings.filter(({ name }) => name === "settings") };
  };
  expect(await settingsIn({})).toMatchObject({ code: 0, found: [{ value: "those of the preset" }] });
  fs.writeFileSync(
    path.join(folder, "gradstand.config.ts"),
    "export default { seeds: 12, timeout: 100 as number };\n",
  );
  expect(await settingsIn({ GRADSTAND_SEEDS: "9" })).toMatchObject({
    code: 0,
    found: [
      { value: "seeds 9", from: "GRADSTAND_SEEDS" },
      { value: "timeout 100", from: "gradstand.config.ts" },
    ],
  });
  const mistyped = await settingsIn({ GRADSTAND_SEDS: "9" });
  expect(mistyped.code).toBe(1);
  expect(mistyped.found[0]!.value).toMatch(/GRADSTAND_SEDS.*did you mean 'GRADSTAND_SEEDS'/);
});

test("doctor finds nothing wrong here and says where settings come from", async () => {
  const { code, out } = await gradstand(["doctor", "--json"], undefined, { GRADSTAND_KERNELS: "reference" });
  expect(code).toBe(0);
  const report = json(out) as { ok: boolean; findings: { name: string; from: string; value: string }[] };
  expect(report.ok).toBe(true);
  expect(report.findings.find(({ name }) => name === "kernels")?.from).toBe("GRADSTAND_KERNELS=reference");
  expect(report.findings.find(({ name }) => name === "gradients")?.value).toMatch(/agree/);
});

test("explain knows every code", async () => {
  const all = await gradstand(["explain"]);
  for (const code of Object.keys(errorCodes)) expect(all.out).toContain(code);
  const one = await gradstand(["explain", "e_stale"]);
  expect(one.code).toBe(0);
  expect(one.out).toContain(errorCodes.E_STALE.explanation);
});

test("--version is the package's", async () => {
  expect((await gradstand(["--version"])).out.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});
