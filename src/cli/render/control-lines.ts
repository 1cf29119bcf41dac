import { shown, signed, type BenchReportV2 } from "../../bench/report/index.js";
import type { Terminal } from "../terminal.js";
import { ratio } from "./verdict-sentence.js";

/** The idea beside its controls, one a line, and the finding; nothing for a report without controls. */
export function printControls({ controls }: BenchReportV2, { out, colour }: Terminal): void {
  if (controls === undefined) return;
  const marks = {
    better: colour.green("better than"),
    worse: colour.red("worse than"),
    "not shown to differ": colour.yellow("not shown to be better than"),
    "not comparable": colour.yellow("not comparable with"),
  };
  out(`  controls  ${controls.finding || "none besides the baseline"}`);
  for (const { name, mean, versus_idea: pair, idea_is: is, cost } of controls.arms) {
    const range = pair.interval
      ? `, interval ${signed(pair.interval[0])} to ${signed(pair.interval[1])}`
      : "";
    out(
      colour.dim("            ") +
        `${marks[is]} ${name} (${shown(mean)}): idea − control ${signed(pair.delta_mean)}${range}, ` +
        `${pair.wins}/${pair.n_pairs} seeds won, p = ${shown(pair.p_value)}, adjusted ${shown(pair.p_adjusted)}; ` +
        `parameters ${ratio(cost.parameters)}${cost.seconds === null ? "" : `, wall time ${ratio(cost.seconds)}`} of the baseline`,
    );
  }
  for (const { name } of controls.is_baseline) out(colour.dim(`            ${name} is the baseline itself`));
}
