import { defineConfig } from "vitest/config";

/** `npm run test:faults`: every fault that a run must survive, with real processes and real signals; the quick ones are in `npm test` too. */
export default defineConfig({
  test: {
    include: ["test/faults/**/*.test.ts", "test/faults/**/*.faults.ts"],
    globalSetup: ["test/global-setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
