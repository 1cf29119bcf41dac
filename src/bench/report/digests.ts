import { createHash } from "node:crypto";
import { canonicalText } from "./serialize.js";

/** The key of the digest of all the others. */
export const allDigests = "digests";

/**
 * SHA-256 of the canonical text of each section: of every key of the bench report (`bench_report.cells`) and
 * of the statement (`verdict`), by path, and under `digests` that of these digests together. They show that a
 * file was changed after it was written; they do not show who wrote it.
 */
export function digestsOf(statement: object, bench: object): { readonly [path: string]: string } {
  const sections = [
    ...Object.entries(statement).filter(([key]) => key !== "bench_report"),
    ...Object.entries(bench)
      .filter(([key]) => key !== "digests")
      .map(([key, value]): [string, unknown] => [`bench_report.${key}`, value]),
  ];
  const digests = Object.fromEntries(sections.map(([path, value]) => [path, digestOf(value)]));
  return { ...digests, [allDigests]: digestOf(digests) };
}

/** SHA-256 in hexadecimal of a value's canonical text. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex");
}
