import { fail, GradstandError } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import { canonicalJson } from "../cells/canonical.js";
import { sha256 } from "../cells/key.js";

/** The file of a run in the folder of its report, written before anything is trained. */
export const runFileName = "bench_run.json";

const FORMAT = "gradstand-run";
const VERSION = 1;

/** What is needed to go on with a run after its process has ended in whatever way. */
export interface StoredRun {
  /** The command line as it was typed. */
  readonly command: string;
  /** What the command line asked for, read; plain data. */
  readonly arguments: Readonly<Record<string, Json>>;
  /** Where the command was given: relative paths in `arguments` begin there. */
  readonly workingFolder: string;
  /** The folder of the report, absolute. */
  readonly folder: string;
  /** The folder of the finished cells, absolute. */
  readonly store: string;
  /** The plan in plain data: equal plans are equal here. */
  readonly plan: Readonly<Record<string, Json>>;
  /** Whether the report has been written. */
  readonly finished: boolean;
}

/** The name of a run: the hash of its plan and of its two folders. A run that is resumed keeps it. */
export function runId({ plan, folder, store }: StoredRun): string {
  return sha256(canonicalJson({ plan, folder, store }));
}

/** The text of a run's file: its content with a checksum over all of it. */
export function encodeRun(run: StoredRun): string {
  const content = { format: FORMAT, version: VERSION, ...run };
  return JSON.stringify({ ...content, checksum: checksum(content) }, null, 2) + "\n";
}

/**
 * The run in a file's text.
 *
 * @throws E_STORE naming the file when it is truncated, was altered, or is no run of this package
 */
export function decodeRun(text: string, file: string): StoredRun {
  const refuse = (why: string): never =>
    fail(
      "E_STORE",
      `${file} cannot be used as the plan of a run: ${why}; start the run again with bench run`,
    );
  let content: Json;
  try {
    content = JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof GradstandError) throw error;
    return refuse("it is not whole JSON");
  }
  if (content === null || typeof content !== "object" || Array.isArray(content))
    return refuse("it is no run of this package");
  const { checksum: found, format, version, ...run } = content as Readonly<Record<string, Json>>;
  if (format !== FORMAT) return refuse("it is no run of this package");
  if (version !== VERSION)
    return refuse(`its version is ${String(version)}, and this package reads version ${VERSION}`);
  if (found !== checksum({ format, version, ...run })) return refuse("its checksum does not fit its content");
  return run as unknown as StoredRun;
}

/** A run as plain data: what JSON leaves out is left out. */
function checksum(content: object): string {
  return sha256(canonicalJson(JSON.parse(JSON.stringify(content)) as Json));
}
