import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { packageRoot } from "../package-place.js";
import { kernels } from "../../tensor/index.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { fileOf } from "../plugins/registry.js";
import type { PluginOrigin, Provenance } from "../record.js";
import type { Plan } from "./plan.js";
import type { WorkingCopy } from "./working-copy.js";

/** The version of this package. */
export function packageVersion(): string {
  const manifest = JSON.parse(fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as {
    readonly version: string;
  };
  return manifest.version;
}

/** The users' files that a plan takes its parts from; none where all of it is built in. */
export function pluginOrigins(plan: Pick<Plan, "idea" | "track" | "model">): readonly PluginOrigin[] {
  const origins = new Map<string, PluginOrigin>();
  for (const part of ["idea", "track", "model"] as const) {
    const file = fileOf(plan[part]);
    if (file === undefined) continue;
    const brings = [...(origins.get(file.hash)?.brings ?? []), `${part} ${plan[part].name}`];
    origins.set(file.hash, { path: file.path, sha256: file.hash, brings });
  }
  return [...origins.values()];
}

/** Where and with what a run was made. */
export function provenance(run: {
  /** None for a study: its cells are of built-in parts. */
  readonly plan?: Pick<Plan, "idea" | "track" | "model">;
  /** The working copy as the run found it. */
  readonly copy: WorkingCopy;
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
    ...run.copy,
    plugins: run.plan === undefined ? [] : pluginOrigins(run.plan),
    started: run.started.toISOString(),
    seconds: run.seconds,
  };
}
