import type { BenchReport } from "../../document-v2.js";
import { computed, intervalOf, reported, statistic } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { seedNames } from "../../present/seed-names.js";
import { beside, entriesOf, folded, table, type Section, whole } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";
import { intervalPlot } from "../plots/interval-plot.js";
import { pairedPlot } from "../plots/paired-plot.js";

/** The comparison: pairs of seeds, intervals, tests, and what these seeds can show. */
export function effectSection(view: ReportView): Section {
  const all = entriesOf(view, "statistics");
  return {
    id: "effect",
    heading: "Effect",
    body: [
      fixedNumberNote(view),
      beside(pairedPlot(view), seedTable(view)),
      beside(intervalPlot(view), statisticsTable(view)),
      all && folded("All statistics by their names in the report", all),
    ],
  };
}

function seedTable(view: ReportView): Content {
  const arms = (name: string, baseline: string, idea: string, difference: Content): Content[] => [
    name,
    figureMarkup(reported(view, baseline)),
    figureMarkup(reported(view, idea)),
    difference,
  ];
  return table(
    `Test ${view.metric} of each seed`,
    ["seed", "baseline", "idea", "idea − baseline"],
    [
      ...seedNames(view.bench).map((name, at) =>
        arms(
          name,
          `baseline.full.per_seed[${at}]`,
          `idea.per_seed[${at}]`,
          figureMarkup(reported(view, `comparison.per_seed_diffs[${at}]`, "signed")),
        ),
      ),
      arms(
        "mean",
        "baseline.full.mean",
        "idea.mean",
        figureMarkup(reported(view, "comparison.delta_mean", "signed")),
      ),
      arms("std (ddof 0)", "baseline.full.std", "idea.std", undefined),
    ],
  );
}

function statisticsTable(view: ReportView): Content {
  const { bench } = view;
  const of = (path: string, style?: Parameters<typeof statistic>[2]): Content =>
    figureMarkup(statistic(view, path, style));
  const range = (name: Parameters<typeof intervalOf>[1]): Content => {
    const ends = intervalOf(view, name);
    return ends ? whole(markup`${figureMarkup(ends[0])} to ${figureMarkup(ends[1])}`) : "none";
  };
  const rows: Content[][] = [
    [
      "seeds won",
      markup`${figureMarkup(reported(view, "comparison.idea_wins"))} of ${figureMarkup(reported(view, "comparison.n_pairs"))}`,
    ],
    ["relative to the baseline", of("effect.relative_pct", "signed percent")],
    [`p, sign-flip, ${methodOf(view)}`, of("sign_flip.p_value")],
    ["p, sign-flip, the first reports' recipe", figureMarkup(reported(view, "comparison.p_value"))],
    ["p, paired t", of("paired_t.p_value")],
    ...(view.verification.judgement.sequential
      ? [
          [
            markup`interval that accounts for the looks (<a href="#sequential">evidence</a>)`,
            lookInterval(view),
          ],
        ]
      : []),
    ["sign-flip interval", range("sign_flip_interval")],
    ["t interval", range("t_interval")],
    ["BCa interval", range("bca_interval")],
    ["margin: does not matter within ±", of("equivalence.margin")],
    ["p, equivalence within the margin", of("equivalence.p_value")],
    [
      "found 4 times in 5 (80 % power)",
      markup`${of("mde_80.difference")} (${of("mde_80.rel_pct", "percent")})`,
    ],
    [
      "mde: half-width of the 95 % interval, found about half of the time",
      markup`${figureMarkup(reported(view, "comparison.mde"))} (${figureMarkup(reported(view, "comparison.mde_rel_pct", "percent"))})`,
    ],
    ["dz, Hedges' gz", whole(markup`${of("effect.dz")}, ${of("effect.hedges_gz")}`)],
    ["Hodges–Lehmann", of("effect.hodges_lehmann", "signed")],
    ["correlation of the pairs", of("effect.pair_correlation")],
    ["probability of improvement", of("improvement.probability")],
    ...neededRows(view, bench),
  ];
  return table("The difference, idea − baseline", ["", "value"], rows);
}

/** What the tests and intervals of a fixed number of seeds are not good for; nothing where that was fixed. */
function fixedNumberNote(view: ReportView): Content {
  if (!view.verification.judgement.sequential) return undefined;
  return markup`<p>The seeds of this run were added under a declared plan. The p, the intervals and the equivalence below are those of a number of seeds that was fixed before, and do not account for the looks at the evidence: they are too sure. What decides is the <a href="#sequential">evidence</a>.</p>`;
}

/** The interval of the e-process. */
export function lookInterval(view: ReportView): Content {
  if (!view.verification.judgement.sequential?.interval) return "none: too few seeds";
  const end = (at: 0 | 1): Content => figureMarkup(computed(view, `sequential.interval[${at}]`, "signed"));
  return whole(markup`${end(0)} to ${end(1)}`);
}

function methodOf(view: ReportView): string {
  const { bench } = view;
  const { method } = (bench.bench_version === 2 ? bench.statistics : view.verification.judgement.statistics)
    .sign_flip;
  return method === "exact" ? "exact" : "Monte Carlo";
}

function neededRows(view: ReportView, bench: BenchReport): Content[][] {
  const { needed_seeds: needed } =
    bench.bench_version === 2 ? bench.statistics : view.verification.judgement.statistics;
  return needed.map(({ pairs }, at) => [
    markup`pairs needed to see ${figureMarkup(statistic(view, `needed_seeds[${at}].difference_pct`, "percent"))}`,
    pairs === null ? "cannot be estimated" : figureMarkup(statistic(view, `needed_seeds[${at}].pairs`)),
  ]);
}
