/**
 * Builds the package unless `dist` was made from the sources, scripts and settings as they are now: `npm start` need not wait
 * for what `npm ci` has just done.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const mark = join(root, "dist/made-from");

/** What the build reads, but for what it makes itself. */
function* inputs() {
  yield* ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
  for (const folder of ["src", "scripts"]) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !/[\\/]wasm[\\/]/.test(path)) yield path.slice(root.length + 1);
    }
  }
}

const hash = createHash("sha256");
for (const file of [...inputs()].sort()) {
  hash.update(`${file}\n`);
  if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
}
const now = hash.digest("hex");

/** The entries that package.json promises. */
const { bin, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = [
  ...Object.values(bin),
  ...Object.values(exports).flatMap((entry) => Object.values(entry)),
  "./dist/inspect-page/index.html",
];
const complete = entries.every(
  (entry) => typeof entry !== "string" || entry.length < 2 || existsSync(join(root, entry)),
);

if (!complete || !existsSync(mark) || readFileSync(mark, "utf8") !== now) {
  const { status } = spawnSync("npm", ["run", "--silent", "build:anew"], {
    cwd: root,
    stdio: "inherit",
    shell: true,
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(mark, now);
}
