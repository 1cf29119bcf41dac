import { createHash } from "node:crypto";
import type { Json } from "../../ideas/index.js";
import { canonicalJson } from "./canonical.js";
import type { CellSpec } from "./spec.js";

/** SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The name of a cell in the store: the hash of its canonical specification and of the code that computes it. */
export function cellKey(spec: CellSpec, fingerprint: string): string {
  return sha256(canonicalJson({ fingerprint, spec: spec as unknown as Json }));
}
