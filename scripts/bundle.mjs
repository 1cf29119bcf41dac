/**
 * Bundles `src` into `dist`: each entry of the package keeps its path, what entries share goes into `dist/chunks`, packages and Node's modules stay
 * imports. A program that starts loads a handful of files instead of more than a hundred. The command's file becomes
 * executable: `npx` in the repository itself runs the file as it lies. Last it records the fingerprint of the sources
 * that the bundle was made from.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const entries = [
  "index",
  // Not exported by the package: benchmarks/accuracy.mjs asks the kernels themselves.
  "tensor/index",
  "nn/index",
  "ideas/index",
  "stats/index",
  "bench/index",
  "bench/executors/worker",
  "bench/executors/process-task",
  "bench/executors/slurm/array-task",
  "bench/plugins/inspect-worker",
  "inspect/index",
  "testing/index",
  "testing/arbitraries/index",
  "testing/vitest/index",
  "testing/gradcheck-file/worker",
  "cli/inspect/record-worker",
  "cli/main",
];

await build({
  root,
  configFile: false,
  logLevel: "error",
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    target: "es2023",
    rollupOptions: {
      input: Object.fromEntries(entries.map((entry) => [entry, join(root, "src", `${entry}.ts`)])),
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name].js" },
    },
  },
});

chmodSync(join(root, "dist/cli/main.js"), 0o755);

const { sourceFingerprint } = await import(pathToFileURL(join(root, "dist/bench/index.js")));
writeFileSync(join(root, "dist/fingerprint"), `${sourceFingerprint()}\n`);
