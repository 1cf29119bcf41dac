import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, type Rollup } from "vite";
import { describe, expect, test } from "vitest";
import { kernelSets, useKernels } from "../../src/tensor/index.js";
import { trainALittle, type Training } from "./train-a-little.js";

/** Where Debian puts it; `GRADSTAND_CHROMIUM` names another place. */
const executablePath = process.env.GRADSTAND_CHROMIUM ?? "/usr/bin/chromium";

/** The training as one script for a page, made from the sources. */
async function bundled(): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2023",
      lib: {
        entry: fileURLToPath(new URL("train-a-little.ts", import.meta.url)),
        formats: ["iife"],
        name: "page",
      },
    },
  })) as Rollup.RollupOutput[];
  return result[0]!.output[0].code;
}

describe("the core in a browser", () => {
  test.skipIf(!existsSync(executablePath))(
    "trains a few steps to the same bits as in Node, with either set of kernels",
    async () => {
      const script = await bundled();
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
      try {
        const page = await browser.newPage();
        const troubles: string[] = [];
        page.on("pageerror", (error) => troubles.push(String(error)));
        page.on("request", (request) => {
          if (!request.url().startsWith("about:")) troubles.push(`request of ${request.url()}`);
        });
        await page.addScriptTag({ content: script });
        expect([...kernelSets.keys()]).toEqual(["reference", "simd"]);
        const digests = new Set<number>();
        for (const set of kernelSets.keys()) {
          const there = (await page.evaluate(`page.trainALittle("${set}")`)) as Training;
          expect(there).toEqual(trainALittle(set));
          expect(there.kernels).toBe(set);
          expect(there.losses.at(-1)).toBeLessThan(there.losses[0]!);
          digests.add(there.digest);
        }
        expect(digests.size, "both sets of kernels leave the same bits").toBe(1);
        expect(troubles).toEqual([]);
      } finally {
        useKernels("simd");
        await browser.close();
      }
    },
  );
});
