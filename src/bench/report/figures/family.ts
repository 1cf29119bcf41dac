import { benjaminiHochberg, holm } from "../../../stats/index.js";
import type { Family, FamilyMember } from "../document-v2.js";

/** A comparison of a family before anything is adjusted; p is null while it has not finished, NaN where it diverged. */
export type FamilyComparison = Pick<FamilyMember, "idea" | "track" | "model" | "p_value">;

/**
 * The p of every comparison that was made together, adjusted for there being several: by Holm, which decides, and by
 * Benjamini–Hochberg, which is shown. A comparison that has not finished or that diverged counts as p = 1: that is the most
 * careful value, under which Holm multiplies the others as Bonferroni would. It has no adjusted p itself.
 */
export function familyFigures(comparisons: readonly FamilyComparison[], own: number): Family {
  const ps = comparisons.map(({ p_value: p }) => (p === null || Number.isNaN(p) ? 1 : p));
  const adjusted = { holm: holm(ps), benjamini_hochberg: benjaminiHochberg(ps) };
  return {
    rule: "holm",
    own,
    members: comparisons.map(({ idea, track, model, p_value: p }, at) => {
      const of = (rule: keyof typeof adjusted): number | null =>
        p === null || Number.isNaN(p) ? p : adjusted[rule][at];
      return {
        idea,
        track,
        model,
        p_value: p,
        holm: of("holm"),
        benjamini_hochberg: of("benjamini_hochberg"),
      };
    }),
  };
}

/** The tracks on which a family has tried the idea of one of its members, as far as it has finished. */
export function tracksTried({ members, own }: Pick<Family, "members" | "own">): number {
  const { idea } = members[own];
  return new Set(
    members
      .filter((one, at) => at === own || (one.idea === idea && one.p_value !== null))
      .map(({ track }) => track),
  ).size;
}
