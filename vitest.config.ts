import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { depth } from "./test/runs.js";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/property-settings.ts"],
    // One more than Vitest's own choice, which leaves a core to its main process: that has little to do here.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000 * Math.max(1, depth),
    hookTimeout: 120_000,
  },
});
