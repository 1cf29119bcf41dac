import { defineConfig } from "vitest/config";

/** `npm run test:browser`: everything that is tested in a real browser; the quick ones are in `npm test` too. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts", "test/browser/**/*.browser.ts"],
    globalSetup: ["test/global-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
