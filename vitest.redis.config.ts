import { defineConfig } from "vitest/config";

/** `npm run test:redis`: runs and workers as real processes on a real Redis. It needs `redis-server` and `npm ci --prefix test/redis`. */
export default defineConfig({
  test: {
    include: ["test/redis/*.redis.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["test/redis/requirements.ts", "test/global-setup.ts"],
    // Each test has its own server; a core is enough for its processes.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
