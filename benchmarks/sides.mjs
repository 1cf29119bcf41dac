import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** PyTorch with one thread; without this setting the BLAS of Debian's build uses kernels of 2004 on recent processors. */
const torchEnvironment = {
  OPENBLAS_CORETYPE: "SkylakeX",
  OPENBLAS_NUM_THREADS: "1",
  OMP_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
};

/** The first python3 that has PyTorch. */
function pythonWithTorch() {
  const candidates = [process.env.GRADSTAND_PYTHON, "python3", "/usr/bin/python3"].filter(Boolean);
  for (const python of candidates) {
    const { status, stdout } = spawnSync(python, ["-c", "import torch; print(torch.__version__)"], {
      encoding: "utf8",
    });
    if (status === 0) return { python, version: stdout.trim() };
  }
  return undefined;
}

function versionOf(packageFile) {
  return existsSync(packageFile) ? JSON.parse(readFileSync(packageFile, "utf8")).version : undefined;
}

function javascriptPeer(name, module, script) {
  const version = versionOf(here(`peers/node_modules/${module}/package.json`));
  if (version === undefined) return { name, missing: "not installed; npm ci --prefix benchmarks/peers" };
  const node = (file) => [process.execPath, here(file)];
  return {
    name,
    version,
    rows: node(`peers/${script}_rows.mjs`),
    start: node(`peers/${script}_start.mjs`),
    memory: node(`peers/${script}_memory.mjs`),
    empty: [process.execPath, "-e", "0"],
  };
}

/** This framework first, then the peers; one that is not installed says so in `missing`. */
export function peers() {
  const torch = pythonWithTorch();
  return [
    {
      name: "gradstand",
      version: versionOf(here("../package.json")),
      rows: [process.execPath, here("rows/gradstand.mjs")],
      start: [process.execPath, here("rows/gradstand-start.mjs")],
      memory: [process.execPath, here("rows/gradstand-memory.mjs")],
      empty: [process.execPath, "-e", "0"],
    },
    torch
      ? {
          name: "pytorch",
          version: torch.version,
          environment: torchEnvironment,
          rows: [torch.python, here("peers/torch_rows.py")],
          start: [torch.python, here("peers/torch_start.py")],
          memory: [torch.python, here("peers/torch_memory.py")],
          empty: [torch.python, "-c", "0"],
        }
      : { name: "pytorch", missing: "no python3 here has it" },
    javascriptPeer("jax-js", "@jax-js/jax", "jax"),
    javascriptPeer("tfjs-wasm", "@tensorflow/tfjs-core", "tfjs"),
  ];
}

/** What the figures were measured on. */
export function machine() {
  const processor = os.cpus()[0]?.model ?? "unknown";
  return {
    processor,
    cores: os.availableParallelism(),
    node: process.versions.node,
    v8: process.versions.v8,
  };
}
