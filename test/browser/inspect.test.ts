import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";
import { recordAStep } from "./record-a-step.js";

/** Where Debian puts it; `GRADSTAND_CHROMIUM` names another place. */
const executablePath = process.env.GRADSTAND_CHROMIUM ?? "/usr/bin/chromium";

test.skipIf(!existsSync(executablePath))(
  "a computation is recorded in a browser: the same document as in Node, to the last bit",
  async () => {
    const [made] = (await build({
      configFile: false,
      logLevel: "error",
      build: {
        write: false,
        minify: false,
        target: "es2023",
        lib: {
          entry: fileURLToPath(new URL("record-a-step.ts", import.meta.url)),
          formats: ["iife"],
          name: "page",
        },
      },
    })) as Rollup.RollupOutput[];
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const page = await browser.newPage();
      const troubles: string[] = [];
      page.on("pageerror", (error) => troubles.push(String(error)));
      await page.addScriptTag({ content: made!.output[0].code });
      const here = recordAStep();
      expect(here.found[0]!.sentence).toMatch(/^log of −8\.\d+ is NaN/);
      expect(await page.evaluate("page.recordAStep()")).toEqual(here);
      expect(troubles).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  60_000,
);
