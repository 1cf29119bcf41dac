import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { depth } from "./test/runs.js";

export default defineConfig({
  // The examples import the package by its name: in tests that is the source, so that there is one copy of it.
  resolve: {
    alias: [
      { find: /^gradstand$/, replacement: fileURLToPath(new URL("src/index.ts", import.meta.url)) },
      {
        find: /^gradstand\/(nn|ideas|stats|bench|inspect)$/,
        replacement: fileURLToPath(new URL("src/", import.meta.url)) + "$1/index.ts",
      },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/property-settings.ts"],
    // Files share a worker's modules: to load them anew for each of 277 files took a quarter of the time.
    isolate: false,
    // One more than Vitest's own choice, which leaves a core to its main process: that has little to do here.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000 * Math.max(1, depth),
    hookTimeout: 120_000,
  },
});
