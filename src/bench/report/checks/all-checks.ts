import { benchOf, benchPrefix, type Report } from "../document-v2.js";
import type { Recomputation } from "../figures/recomputation.js";
import { judge, type Judgement } from "../judge.js";
import { armChecks } from "./arm-checks.js";
import { cellChecks } from "./cell-checks.js";
import type { Clue } from "./check.js";
import { keyChecks } from "./key-checks.js";
import { digestChecks, type DigestMemory } from "./digest-checks.js";
import { familyChecks } from "./family-checks.js";
import { furtherMetricChecks } from "./further-metric-checks.js";
import { mechanismChecks } from "./mechanism-checks.js";
import { pairChecks } from "./pair-checks.js";
import { quotedChecks } from "./quoted-checks.js";
import { measuredChecks, sectionChecks } from "./section-checks.js";
import { sweepChecks } from "./sweep-checks.js";
import { verdictChecks } from "./verdict-checks.js";

/** Checks documents that differ in a few places, remembering what is costly to compute. */
export interface Checker {
  /** Every check of a document, in the order of its sections. */
  all(report: Report): Clue[];
  /** The checks that need no resampling: enough to rule out most explanations of a fault. */
  cheap(report: Report): Clue[];
  judge(report: Report): Judgement;
}

/** A checker with a memory of its own for digests. */
export function checker(costly: Recomputation): Checker {
  const digests: DigestMemory = new WeakMap();
  return {
    all: (report) => checksOf(report, digests, costly),
    cheap: (report) => checksOf(report, digests, undefined),
    judge: (report) => judge(benchOf(report), costly),
  };
}

function checksOf(report: Report, digests: DigestMemory, costly: Recomputation | undefined): Clue[] {
  const bench = benchOf(report);
  const prefix = benchPrefix(report);
  const second = bench.bench_version === 2 ? bench : undefined;
  const judgement = costly && judge(bench, costly);
  return [
    ...armChecks(report),
    ...sweepChecks(report),
    ...pairChecks(report, costly),
    ...mechanismChecks(report),
    ...(judgement ? verdictChecks(report, judgement) : []),
    ...(second ? measuredChecks(report, second, prefix) : []),
    ...(second && judgement ? sectionChecks(report, prefix, judgement) : []),
    ...(second && judgement ? familyChecks(report, second, prefix, judgement) : []),
    ...(second ? cellChecks(report, second, prefix) : []),
    ...(second && judgement ? keyChecks(second, prefix) : []),
    ...(second ? furtherMetricChecks(report, second, prefix, costly) : []),
    ...(judgement ? quotedChecks(report, judgement) : []),
    ...(second ? digestChecks(report, second, digests) : []),
  ];
}
