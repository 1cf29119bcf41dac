import type { ControlsSection } from "../../document-controls.js";
import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { configName } from "../../present/sweep-rows.js";
import { beside, bullets, definitions, folded, table, type Section, whole } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";
import { controlPlot } from "../plots/control-plot.js";

/** The idea beside its controls: what it is not better than, and what that would mean; undefined where none were run. */
export function controlsSection(view: ReportView): Section | undefined {
  const { bench } = view;
  if (bench.bench_version === 1 || bench.controls === undefined) return undefined;
  const { controls } = bench;
  const baselines = controls.is_baseline.map(
    ({ name, title }) => markup`<p>The control ${name} (${title}) is the baseline itself.</p>`,
  );
  if (controls.arms.length === 0) return { id: "controls", heading: "Controls", body: baselines };
  return {
    id: "controls",
    heading: "Controls",
    body: [
      markup`<p><strong>${controls.finding}</strong></p>`,
      beside(controlPlot(bench, controls), besideBaseline(view, controls)),
      besideIdea(view, controls),
      baselines,
      markup`<h3>What they are</h3>`,
      meanings(controls),
      folded("The sweep of each control", sweeps(view, controls)),
    ],
  };
}

function meanings({ arms }: ControlsSection): Content {
  return definitions(
    arms.map(({ name, title, statement, why, kind }) => [
      name,
      markup`${title}${kind === "evaluated" ? ", scored on the idea's trained models" : ""}. <span class="formula">${statement}</span> If the idea is no better: ${why}.`,
    ]),
  );
}

function besideIdea(view: ReportView, { arms }: ControlsSection): Content {
  return table(
    "The idea beside each control, p adjusted by Holm over the controls",
    ["control", "mean", "std", "idea − control", "interval", "p", "adjusted", "seeds won", "the idea is"],
    arms.map(({ name, idea_is: is, versus_idea: { interval } }, at) => {
      const path = `controls.arms[${at}]`;
      const [low, high] = [0, 1].map((end) => `${path}.versus_idea.interval[${end}]`);
      const figure = (key: string, style: "plain" | "signed" = "plain"): Content =>
        figureMarkup(reported(view, `${path}.${key}`, style));
      return [
        name,
        figure("mean"),
        figure("std"),
        figure("versus_idea.delta_mean", "signed"),
        interval
          ? whole(
              markup`${figureMarkup(reported(view, low, "signed"))} to ${figureMarkup(reported(view, high, "signed"))}`,
            )
          : "none",
        figure("versus_idea.p_value"),
        figure("versus_idea.p_adjusted"),
        whole(markup`${figure("versus_idea.wins")} of ${figure("versus_idea.n_pairs")}`),
        whole(is),
      ];
    }),
  );
}

function besideBaseline(view: ReportView, { arms }: ControlsSection): Content {
  return table(
    "Each control beside the baseline",
    ["control", "control − baseline", "p, adjusted", "parameters", "wall time"],
    arms.map(({ name, cost }, at) => {
      const path = `controls.arms[${at}]`;
      const ratio = (of: "parameters" | "seconds"): Content =>
        cost[of] === null ? "not comparable" : markup`×${figureMarkup(reported(view, `${path}.cost.${of}`))}`;
      return [
        name,
        figureMarkup(reported(view, `${path}.versus_baseline.delta_mean`, "signed")),
        figureMarkup(reported(view, `${path}.versus_baseline.p_adjusted`)),
        ratio("parameters"),
        ratio("seconds"),
      ];
    }),
  );
}

function sweeps(view: ReportView, { arms }: ControlsSection): Content {
  const trained = arms.map((arm, at) => ({ arm, at })).filter(({ arm }) => arm.kind === "trained");
  if (trained.length === 0)
    return bullets(["No control was tuned: those here are scored on the idea's models."]);
  return table(
    "Means of the sweep of each control",
    ["control", "configuration", "mean", "std", "chosen"],
    trained.flatMap(({ arm, at }) =>
      arm.sweep.map(({ cfg }, row) => [
        arm.name,
        configName(cfg),
        figureMarkup(reported(view, `controls.arms[${at}].sweep[${row}].mean`)),
        figureMarkup(reported(view, `controls.arms[${at}].sweep[${row}].std`)),
        configName(cfg) === configName(arm.best_cfg) ? "yes" : "",
      ]),
    ),
  );
}
