import type { CheckLine } from "../../testing/gradcheck-file/index.js";
import type { Terminal } from "../terminal.js";

/** One check as a line, below the name of its subject when that is a new one; a failure with its message. */
export function printCheckLine(line: CheckLine, isNew: boolean, { out, colour }: Terminal): void {
  if (isNew) out(colour.bold(line.subject));
  const { status, check, message } = line;
  const mark = { passed: colour.green("pass"), failed: colour.red("FAIL"), skipped: colour.dim("skip") }[
    status
  ];
  const found = status === "skipped" ? (message ?? "") : figures(line);
  out(`  ${mark} ${check.padEnd(17)} ${colour.dim(found)}`.trimEnd());
  if (status === "failed" && message !== undefined)
    for (const text of message.split("\n")) out(`       ${text}`.trimEnd());
}

/** The largest error beside the one allowed. */
function figures({ worst, tolerance, compared, kinks }: CheckLine): string {
  if (worst === undefined || tolerance === undefined) return "";
  const count = compared === undefined ? "" : ` in ${compared} numbers`;
  const left = kinks ? `, ${kinks} left out at kinks` : "";
  return `${error(worst)} of ${error(tolerance)}${count}${left}`;
}

const error = (value: number): string => (value === 0 ? "0" : value.toExponential(1));

/** The totals, last; before them what was passed over and how to repeat a failure. */
export function printTotals(
  { passed, failed }: { readonly passed: number; readonly failed: number },
  {
    file,
    seed,
    passedOver,
  }: { readonly file: string; readonly seed: number; readonly passedOver: readonly string[] },
  { out, err, colour }: Terminal,
): void {
  if (passedOver.length > 0)
    err(`passed over, for they have neither signature nor inputs: ${passedOver.join(", ")}`);
  if (passed + failed === 0)
    err(`${file} exports nothing to check; gradstand gradcheck --help shows the format`);
  if (failed > 0) err(`the inputs were drawn with --seed ${seed}`);
  out(`${passed} passed, ${failed > 0 ? colour.red(`${failed} failed`) : "0 failed"}`);
}
