import type { Json } from "../../../ideas/index.js";
import { valueAt } from "../path.js";
import { canonicalText } from "../serialize.js";

/** The relative error up to which a figure holds. */
export const tolerance = 1e-12;

/** What a check looks at: a figure, a number that a text quotes, or the digest of a section. */
export type CheckKind = "figure" | "quoted" | "digest";

/** One figure of a report against what it should be. */
export interface Check {
  readonly kind: CheckKind;
  readonly path: string;
  /** `undefined` when the report lacks the figure. */
  readonly reported: Json | undefined;
  readonly recomputed: Json;
  /** |reported − recomputed|/|recomputed| of two numbers. */
  readonly relativeError: number | undefined;
  readonly holds: boolean;
  readonly note?: string;
}

/** A value that a check was computed from, and what it would have to be for the check to hold. */
export interface Suspect {
  readonly path: string;
  readonly implied: Json;
  /** `implied` only stands for a value on the right side: the true one cannot be known. */
  readonly unknown?: boolean;
  /** `implied` has only the digits that a text prints. */
  readonly rounded?: boolean;
}

/** A check with what could be wrong when it does not hold. */
export interface Clue extends Check {
  /** What to put at `path` for the check to hold; `undefined` when no value there would do. */
  readonly implied: Json | undefined;
  readonly suspects: readonly Suspect[];
  /** The check compares a few digits of a text: it is no witness for the whole of the text. */
  readonly coarse?: boolean;
  /** The check is the digest of the section at `path`. */
  readonly section?: boolean;
}

/** Details of a check that most checks do without. */
export interface CheckDetails {
  /** `figure` when absent. */
  readonly kind?: CheckKind;
  readonly note?: string;
  readonly suspects?: readonly Suspect[];
  /**
   * Magnitude of the values that were subtracted or averaged: rounding may leave some units in its last
   * place.
   */
  readonly scale?: number;
}

/**
 * Checks the figure at a path of a document. Numbers may differ by 1e-12 relative, everything else not at
 * all.
 */
export function figureCheck(
  document: object,
  path: string,
  recomputed: Json,
  details: CheckDetails = {},
): Clue {
  const reported = valueAt(document, path);
  const relativeError = relativeErrorOf(reported, recomputed);
  const { kind = "figure", note, suspects = [], scale = 0 } = details;
  return {
    kind,
    path,
    reported,
    recomputed,
    relativeError,
    holds: agrees(reported, recomputed, scale),
    ...(note === undefined ? {} : { note }),
    implied: recomputed,
    suspects,
  };
}

function agrees(reported: Json | undefined, recomputed: Json, scale: number): boolean {
  if (typeof reported !== "number" || typeof recomputed !== "number") {
    return reported !== undefined && canonicalText(reported) === canonicalText(recomputed);
  }
  if (!Number.isFinite(reported) || !Number.isFinite(recomputed)) return Object.is(reported, recomputed);
  const allowed = tolerance * Math.abs(recomputed) + 4 * Number.EPSILON * scale;
  return Math.abs(reported - recomputed) <= allowed;
}

function relativeErrorOf(reported: Json | undefined, recomputed: Json): number | undefined {
  if (typeof reported !== "number" || typeof recomputed !== "number") return undefined;
  if (reported === recomputed || (Number.isNaN(reported) && Number.isNaN(recomputed))) return 0;
  return Math.abs(reported - recomputed) / Math.abs(recomputed);
}

/** Whether a number is one of float32. */
export function isFloat32(value: number): boolean {
  return Object.is(Math.fround(value), value);
}

/** Whether most of the values are float32 numbers, as the metrics of a float32 model are. */
export function mostlyFloat32(values: readonly number[]): boolean {
  return values.length > 2 && values.filter(isFloat32).length > values.length / 2;
}
