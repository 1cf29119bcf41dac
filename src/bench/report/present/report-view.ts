import type { Statement } from "../document.js";
import { benchOf, benchPrefix, statementOf, type BenchReport, type Report } from "../document-v2.js";
import type { Recomputation } from "../figures/recomputation.js";
import type { Fault } from "../localise-fault.js";
import { verifyReport, type Verification } from "../verify.js";

/** A report with all that is known of it, as its presentations take it. */
export interface ReportView {
  /** The report as it was printed, faults and all. */
  readonly report: Report;
  readonly bench: BenchReport;
  readonly statement: Statement | undefined;
  readonly verification: Verification;
  /** Figures that do not hold, by their path. */
  readonly faults: ReadonlyMap<string, Fault>;
  /** What the path of a figure of the bench report begins with. */
  readonly prefix: "" | "bench_report.";
  /** The name of the report's file, for the reader. */
  readonly file: string;
  /** The name of the subject: the idea's title, or for a version 1 report its track's idea. */
  readonly title: string;
  /** The name of the metric. */
  readonly metric: string;
}

/** Verifies a report and gives it as its presentations take it. `costly` as for `verifyReport`. */
export function reportView(report: Report, file: string, costly?: Recomputation): ReportView {
  const verification = verifyReport(report, costly);
  const bench = benchOf(report);
  const second = bench.bench_version === 2 ? bench : undefined;
  return {
    report,
    bench,
    statement: statementOf(report),
    verification,
    faults: new Map(verification.faults.map((fault) => [fault.path, fault])),
    prefix: benchPrefix(report),
    file,
    title: second ? second.subject.title : `An idea on ${bench.track}`,
    metric: second ? second.metric : "metric",
  };
}
