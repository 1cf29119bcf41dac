/** A reason why a run cannot be conclusive, whatever its numbers are. */
export interface Cap {
  readonly code:
    | "quick"
    | "partial"
    | "uninformative"
    | "test-selection"
    | "grid-edge"
    | "unequal-tuning"
    | "diverged-one-arm"
    | "seeds-not-as-declared"
    | "unfinished-cells";
  readonly text: string;
  /** The verdict that this reason cannot have caused, only hindered: it does not hold that one back. Not part of a report. */
  readonly spares?: "worked" | "harmful";
}

/** What is known of a run's conduct. `undefined` means that the report does not say. */
export interface Conduct {
  readonly quick: boolean;
  /** Of how many planned seeds how many are there, in a report that was made before its run had ended. */
  readonly partial?: { readonly seeds: number; readonly planned: number };
  /** Whether the tuned baseline beats every floor. */
  readonly informative: boolean | undefined;
  readonly unbeatenFloors: readonly string[];
  readonly selection: "test" | "validation" | undefined;
  /** The arms whose best learning rate lies at an end of their grid, with that rate. */
  readonly edges: readonly { readonly arm: "baseline" | "idea"; readonly rate: number }[];
  /** How the tuning of the arms differs; empty when it does not. */
  readonly inequalities: readonly string[];
  /** Whether seeds were added otherwise than a sequential plan declared; undefined without such a plan. */
  readonly seedsAsDeclared?: boolean;
  /** Cells that diverged, tuning cells included; with `directed` those alone that may have cost their arm its best rate. */
  readonly diverged: { readonly baseline: number; readonly idea: number };
  /** Whether {@link diverged} was counted, and holds back, as reports of caps_version 2 have it; false for older ones. */
  readonly directed?: boolean;
  /** Cells without a result, in words: they ran into a time-out, or their worker died. */
  readonly unfinished?: readonly { readonly what: string; readonly status: string }[];
}

/** So many cells are named in a cap's text. */
const MOST_NAMED = 4;

/**
 * The caps of the strict profile. A report without a validation split is taken to have tuned on the test
 * metric, and a report without floors is not capped for it.
 */
export function capsOf(conduct: Conduct): Cap[] {
  const caps: Cap[] = [];
  if (conduct.quick) {
    caps.push({ code: "quick", text: "a smoke run of the preset quick: no verdict is given" });
  }
  if (conduct.partial !== undefined) {
    const { seeds, planned } = conduct.partial;
    caps.push({
      code: "partial",
      text: `a partial report: ${seeds} of ${planned} planned seeds, looked at before the run had ended`,
    });
  }
  if (conduct.informative === false) {
    const floors = conduct.unbeatenFloors.join(", ");
    caps.push({ code: "uninformative", text: `the tuned baseline does not beat every floor: ${floors}` });
  }
  if (conduct.selection !== "validation") {
    const known = conduct.selection === "test" ? "" : " (no validation split is reported)";
    caps.push({
      code: "test-selection",
      text: `the best configuration was chosen on the test metric${known}`,
    });
  }
  if (conduct.edges.length > 0) {
    const where = conduct.edges.map(({ arm, rate }) => `${arm} ${rate}`).join(", ");
    caps.push({ code: "grid-edge", text: `the best learning rate lies at an end of the grid: ${where}` });
  }
  if (conduct.inequalities.length > 0) {
    caps.push({
      code: "unequal-tuning",
      text: `the arms were tuned unequally: ${conduct.inequalities.join("; ")}`,
    });
  }
  if (conduct.seedsAsDeclared === false) {
    caps.push({
      code: "seeds-not-as-declared",
      text: "seeds were added otherwise than the sequential plan declared",
    });
  }
  const { baseline, idea } = conduct.diverged;
  if (baseline > 0 !== idea > 0) {
    const [arm, cells, spares] =
      baseline > 0 ? (["baseline", baseline, "harmful"] as const) : (["idea", idea, "worked"] as const);
    const where = conduct.directed ? ", at its chosen learning rate or next to it" : "";
    caps.push({
      code: "diverged-one-arm",
      text: `${cells} ${cells === 1 ? "cell" : "cells"} diverged in one arm only${where}: ${arm}`,
      ...(conduct.directed && { spares }),
    });
  }
  const { unfinished = [] } = conduct;
  if (unfinished.length > 0) {
    const named = unfinished.slice(0, MOST_NAMED).map(({ what, status }) => `${what} (${status})`);
    const rest = unfinished.length > MOST_NAMED ? ` and ${unfinished.length - MOST_NAMED} more` : "";
    caps.push({
      code: "unfinished-cells",
      text:
        `${unfinished.length} ${unfinished.length === 1 ? "cell" : "cells"} did not end, and a resumed run tries ` +
        `${unfinished.length === 1 ? "it" : "them"} again: ${named.join(", ")}${rest}`,
    });
  }
  return caps;
}
