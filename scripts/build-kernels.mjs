/**
 * Compiles the AssemblyScript kernels: every file that stands directly in a folder `assembly` under `src` becomes one
 * WebAssembly module, embedded as text in `<same place>/wasm/<name>.ts`. What is up to date, judged by a hash of the
 * sources it imports and of this script, is left alone. `--force` compiles all, `--only` the named sources alone
 * (separated by commas), `--fast` without optimising, for a kernel that is to run a few times.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));
const {
  values: { force, fast, only },
} = parseArgs({
  options: { force: { type: "boolean" }, fast: { type: "boolean" }, only: { type: "string" } },
});

/** The bytes of static data that a module may have; module i keeps its own at FIRST + i·SHARE. */
const FIRST = 1024;
const SHARE = 4096;
/** Static data of all modules ends here; the same number stands in src/tensor/memory/linear-memory.ts. */
const STATIC_END = 65536;

const features = ["--enable", "simd", "--runtime", "stub", "--noAssert", "--use", "abort="];
const optimising = fast ? ["-O0"] : ["-O3", "--converge"];
const options = [...optimising, "--importMemory", ...features];

/** Every folder `assembly` under src. */
function assemblyFolders(folder = join(root, "src")) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.name === "assembly" ? [path] : assemblyFolders(path);
    });
}

/** The sources of a module, itself first, each once. */
function sourcesOf(path, known = new Set()) {
  if (known.has(path)) return known;
  known.add(path);
  for (const [, target] of readFileSync(path, "utf8").matchAll(/from\s+"(\.[^"]+)"/g)) {
    sourcesOf(resolve(dirname(path), `${target}.ts`), known);
  }
  return known;
}

function hashOf(path, base) {
  const hash = createHash("sha256")
    .update(readFileSync(script))
    .update(String(base))
    .update(String(optimising));
  for (const source of sourcesOf(path)) hash.update(relative(root, source)).update(readFileSync(source));
  return hash.digest("hex");
}

async function compile(path, base) {
  const { default: asc } = await import("assemblyscript/asc");
  const name = relative(root, path);
  let binary;
  const { error, stderr } = await asc.main(
    [name, "--outFile", "module.wasm", "--memoryBase", String(base), ...options],
    {
      readFile: (file, folder) => {
        const full = resolve(root, folder, file);
        return existsSync(full) ? readFileSync(full, "utf8") : null;
      },
      writeFile: (file, contents) => {
        if (file.endsWith(".wasm")) binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${name}: ${error.message}\n${stderr.toString()}`);
  return binary;
}

function write(target, text) {
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}

/** The module's text file, which is also its mark of what it was made from. */
const textOf = (hash, binary) =>
  [
    "// Made by scripts/build-kernels.mjs; not to be edited.",
    `// ${hash}`,
    `export const wasm = "${Buffer.from(binary).toString("base64")}";`,
    "",
  ].join("\n");

const modules = assemblyFolders()
  .flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => join(folder, entry.name)),
  )
  .sort();
if (FIRST + modules.length * SHARE > STATIC_END)
  throw new Error("more modules than there is room for static data");

const targetOf = (path) => join(dirname(dirname(path)), "wasm", basename(path));
for (const folder of new Set(modules.map((path) => dirname(targetOf(path))))) {
  if (!existsSync(folder)) continue;
  const wanted = new Set(modules.map(targetOf));
  for (const file of readdirSync(folder)) if (!wanted.has(join(folder, file))) rmSync(join(folder, file));
}
for (const [index, path] of modules.entries()) {
  if (only && !only.split(",").includes(relative(root, path))) continue;
  const base = FIRST + index * SHARE;
  const hash = hashOf(path, base);
  const target = targetOf(path);
  if (!force && existsSync(target) && readFileSync(target, "utf8").split("\n", 2)[1] === `// ${hash}`)
    continue;
  try {
    const binary = await compile(path, base);
    write(target, textOf(hash, binary));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error.message}\n`);
  }
}
