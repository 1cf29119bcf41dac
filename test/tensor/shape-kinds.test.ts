import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

// In a process of its own: lists of any kind that other tests hand over change what V8 makes of the library's.
const folder = mkdtempSync(path.join(tmpdir(), "gradstand-kinds-"));
const script = path.join(folder, "kinds-in-training.mjs");

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL("shape-kinds/kinds-in-training.ts", import.meta.url)),
      outDir: folder,
      rollupOptions: { output: { entryFileNames: path.basename(script) } },
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["interpreted", "--no-opt"],
  ["compiled early", "--interrupt-budget=2000"],
])("in training, %s, all shapes are of the one kind that code is compiled for", (_, flag) => {
  const printed = execFileSync(process.execPath, ["--allow-natives-syntax", flag, script], {
    encoding: "utf8",
  });
  const { results, others } = JSON.parse(printed) as { results: number; others: string[] };
  expect(results).toBeGreaterThan(1000);
  expect(others).toEqual([]);
});
