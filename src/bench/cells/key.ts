import { createHash } from "node:crypto";
import type { Json } from "../../ideas/index.js";
import { canonicalJson } from "./canonical.js";
import type { CellSpec } from "./spec.js";

/** SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The name of a cell in the store: the hash of its canonical specification and of the code that computes it. Of a user's file
 * its content counts, not its place.
 */
export function cellKey(spec: CellSpec, fingerprint: string): string {
  return sha256(canonicalJson({ fingerprint, spec: withoutPlaces(spec) as unknown as Json }));
}

function withoutPlaces(spec: CellSpec): unknown {
  if (spec.kind === "study") return { ...spec, trained: spec.trained.map(withoutPlaces) };
  if (spec.kind !== "train") return { ...spec, trained: withoutPlaces(spec.trained) };
  const file = spec.idea?.file;
  return file === undefined ? spec : { ...spec, idea: { ...spec.idea, file: { hash: file.hash } } };
}
