import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decodeCell } from "../../src/bench/store/cell-file.js";
import { cellKey } from "../../src/bench/cells/key.js";
import type { CellSpec } from "../../src/bench/cells/spec.js";
import { emptyFolder } from "../cli/command.js";

const script = fileURLToPath(new URL("./fixtures/write-cell.mjs", import.meta.url));
const fingerprint = "0".repeat(64);

/** Processes that write the same cell with these metrics at the same moment; what each says, and what is stored. */
async function writtenTogether(metrics: readonly number[]) {
  const folder = emptyFolder();
  const gate = path.join(emptyFolder(), "gate");
  const spec = { kind: "train", arm: "baseline", cfg: { lr: 0.003 }, seed: 0 } as unknown as CellSpec;
  const key = cellKey(spec, fingerprint);
  fs.writeFileSync(`${gate}-key`, key);
  let ready = 0;
  const said = await Promise.all(
    metrics.map((metric) => {
      const child = spawn(process.execPath, [script, folder, gate, String(metric)]);
      let text = "";
      child.stdout.on("data", (part: Buffer) => {
        text += part.toString();
        if (text === "ready\n" && ++ready === metrics.length) fs.writeFileSync(gate, "");
      });
      return new Promise<string>((resolve) => child.on("close", () => resolve(text.replace("ready\n", ""))));
    }),
  );
  const names = fs.readdirSync(folder);
  expect(names).toEqual([`${key}.json`]);
  const { result } = decodeCell(key, fs.readFileSync(path.join(folder, names[0]!), "utf8"));
  return { said, stored: (result as { readonly metric: number }).metric };
}

test("of processes that write one cell at the same moment the first wins; the same result is no conflict", async () => {
  const { said, stored } = await writtenTogether([0.25, 0.25, 0.25]);
  expect(said).toEqual(["stored\n", "stored\n", "stored\n"]);
  expect(stored).toBe(0.25);
});

test("one bit of difference is E_NONDETERMINISM in the process that was second", async () => {
  const metrics = [0.1, 0.1 + 2 ** -56];
  const { said, stored } = await writtenTogether(metrics);
  const first = metrics.indexOf(stored);
  expect(said[first]).toBe("stored\n");
  expect(said[1 - first]).toMatch(
    /^E_NONDETERMINISM: the cell baseline lr=0.003 seed=0 .* result.metric was 0.1/,
  );
});
