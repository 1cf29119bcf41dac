import type { BenchReportV2, Report } from "../document-v2.js";
import type { Judgement } from "../judge.js";
import { childPath } from "../path.js";
import { figureCheck, type Clue, type Suspect } from "./check.js";

/** The family's adjusted p-values from the p of each member, and the member that this report is. */
export function familyChecks(
  report: Report,
  bench: BenchReportV2,
  prefix: string,
  { family }: Judgement,
): Clue[] {
  const { members, own } = bench.family;
  return family!.members.flatMap((member, at) => {
    const path = childPath(`${prefix}family.members`, at);
    const suspects = pBehind(bench, path, at);
    return [
      ...(at === own
        ? (["idea", "track", "model", "p_value"] as const).map((key) =>
            figureCheck(report, `${path}.${key}`, member[key], { note: "this report's own comparison" }),
          )
        : []),
      figureCheck(report, `${path}.holm`, member.holm, { note: `Holm over ${members.length}`, suspects }),
      figureCheck(report, `${path}.benjamini_hochberg`, member.benjamini_hochberg, {
        note: `Benjamini–Hochberg over ${members.length}`,
        suspects,
      }),
    ];
  });
}

/** The p of another member as its Holm value implies it: divided by the number of p-values that are not smaller. */
function pBehind(bench: BenchReportV2, path: string, at: number): readonly Suspect[] {
  const { members, own } = bench.family;
  const { p_value: p, holm } = members[at];
  if (at === own || p === null || holm === null || !(holm < 1)) return [];
  const smaller = members.filter(
    (other, place) => place !== at && other.p_value !== null && other.p_value < p,
  ).length;
  return [{ path: `${path}.p_value`, implied: holm / (members.length - smaller) }];
}
