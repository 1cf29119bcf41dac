import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { packageRoot } from "../package-place.js";
import { workingCopy } from "./working-copy.js";
import { kernels } from "../../tensor/index.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import type { Provenance } from "../record.js";

/** The version of this package. */
export function packageVersion(): string {
  const manifest = JSON.parse(fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}

/** Where and with what a run was made. */
export function provenance(run: {
  readonly command: string;
  readonly workers: number;
  readonly executor: string;
  readonly started: Date;
  readonly seconds: number;
}): Provenance {
  return {
    command: run.command,
    version: packageVersion(),
    node: process.version,
    v8: process.versions.v8,
    platform: `${process.platform} ${process.arch}`,
    cpu: os.cpus()[0]?.model ?? "unknown",
    executor: run.executor,
    workers: run.workers,
    kernels: kernels().name,
    fingerprint: packageFingerprint(),
    ...workingCopy(),
    started: run.started.toISOString(),
    seconds: run.seconds,
  };
}
