import type { Json } from "../../ideas/index.js";
import { canonicalJson, parseCanonicalJson } from "../cells/canonical.js";
import { cellKey, sha256 } from "../cells/key.js";
import type { CellCost, CellOutcome } from "../cells/result.js";
import type { CellSpec } from "../cells/spec.js";

const FORMAT = "gradstand-cell";
const VERSION = 1;

/** What a file of the store holds. */
interface CellFile<Spec extends CellSpec> extends CellCost {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly key: string;
  readonly fingerprint: string;
  readonly spec: Spec;
  readonly result: CellOutcome<Spec>["result"];
  readonly seconds: number;
}

/** A file that cannot be taken as the cell that it is named for, with the reason in words. */
export class UnusableCell extends Error {}

/** The text of a cell's file: its content in canonical JSON with a checksum over all of it. */
export function encodeCell<Spec extends CellSpec>(
  key: string,
  fingerprint: string,
  spec: Spec,
  outcome: CellOutcome<Spec>,
): string {
  const file: CellFile<Spec> = { format: FORMAT, version: VERSION, key, fingerprint, spec, ...outcome };
  const content = file as unknown as { readonly [key: string]: Json };
  return canonicalJson({ ...content, checksum: checksum(content) }) + "\n";
}

/**
 * The outcome in a cell's file.
 *
 * @throws UnusableCell when the text is truncated, was altered, or belongs to another cell
 */
export function decodeCell<Spec extends CellSpec>(key: string, text: string): CellOutcome<Spec> {
  const content = parseFile(text);
  if (content.format !== FORMAT) throw new UnusableCell("it is no cell of this package");
  if (content.version !== VERSION) {
    throw new UnusableCell(
      `its version is ${String(content.version)}, and this package reads version ${VERSION}`,
    );
  }
  const { checksum: found, ...rest } = content;
  if (found !== checksum(rest)) throw new UnusableCell("its checksum does not fit its content");
  const file = rest as unknown as CellFile<Spec>;
  if (file.key !== key || cellKey(file.spec, file.fingerprint) !== key) {
    throw new UnusableCell(`it holds another cell, ${file.key}`);
  }
  const { result, seconds, flops, memory } = file;
  return {
    result,
    seconds,
    ...(flops === undefined ? {} : { flops }),
    ...(memory === undefined ? {} : { memory }),
  };
}

function parseFile(text: string): { readonly [key: string]: Json } {
  let content: Json;
  try {
    content = parseCanonicalJson(text);
  } catch {
    throw new UnusableCell("it is not whole JSON");
  }
  if (content === null || typeof content !== "object" || Array.isArray(content)) {
    throw new UnusableCell("it is no cell of this package");
  }
  return content as { readonly [key: string]: Json };
}

function checksum(content: { readonly [key: string]: Json }): string {
  return sha256(canonicalJson(content));
}
