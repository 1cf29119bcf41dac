import type { BenchReport } from "../document-v2.js";
import type { SweepFigures } from "../document.js";
import { settingsText } from "../sentences.js";
import type { Judgement } from "../judge.js";
import { childPath } from "../path.js";
import {
  armNames,
  exact,
  escaped,
  exactAt,
  limitationsText,
  quotation,
  textOf,
  words,
  type ArmName,
  type Quotation,
} from "./quotation.js";

/** Learning rates, the sweep and the sizes of the protocol. */
export function settingQuotations(bench: BenchReport, prefix: string, judgement: Judgement): Quotation[] {
  return [
    ...armNames.flatMap((arm) => rateQuotations(bench, prefix, arm)),
    {
      in: textOf("baseline"),
      pattern: words(String.raw`lr sweep \{N(?:, N)?(?:, N)?(?:, N)?(?:, N)?(?:, N)?\}`),
      figures: (caught) =>
        caught.map((_, at) =>
          exactAt(bench.baseline.sweep[at]?.cfg.lr, `${childPath(`${prefix}baseline.sweep`, at)}.cfg.lr`),
        ),
    },
    ...armNames.flatMap((arm) => optionQuotations(bench, prefix, arm)),
    ...protocolQuotations(bench, prefix),
    ...tuningQuotations(judgement),
  ];
}

function rateQuotations(bench: BenchReport, prefix: string, arm: ArmName): Quotation[] {
  const best = exactAt(bench[arm].best_cfg?.lr, `${prefix}${arm}.best_cfg.lr`);
  return [
    quotation(textOf(arm), "(?:best|tuned) lr=N", best),
    quotation(textOf(arm), "(?<!best |tuned )lr=N:", best),
    {
      in: textOf(arm),
      pattern: words("(?<!best |tuned )lr=N N"),
      figures: ([rate]) => {
        const row = rowAt(bench[arm].sweep ?? [], rate);
        if (row < 0) return [];
        const rowPath = childPath(`${prefix}${arm}.sweep`, row);
        const { cfg, mean } = bench[arm].sweep![row];
        return [exact(Number(cfg.lr), `${rowPath}.cfg.lr`), { value: mean, path: `${rowPath}.mean` }];
      },
    },
  ];
}

/** The means of configurations that set more than a learning rate. */
function optionQuotations(bench: BenchReport, prefix: string, arm: ArmName): Quotation[] {
  return (bench[arm].sweep ?? []).flatMap(({ cfg, mean }, at) => {
    if (Object.keys(cfg).length < 2) return [];
    const path = `${childPath(`${prefix}${arm}.sweep`, at)}.mean`;
    return [quotation(textOf(arm), `${escaped(settingsText(cfg))} N`, { value: mean, path })];
  });
}

/** The row whose learning rate is nearest to a quoted one. */
function rowAt(sweep: readonly SweepFigures[], rate: number): number {
  const distance = (at: number): number => Math.abs(Number(sweep[at].cfg.lr) - rate);
  return sweep.reduce(
    (nearest, _, at) => (nearest < 0 || distance(at) < distance(nearest) ? at : nearest),
    -1,
  );
}

function protocolQuotations(bench: BenchReport, prefix: string): Quotation[] {
  const setting = (key: "epochs" | "n_train" | "n_test") =>
    exactAt(bench.protocol?.[key], `${prefix}protocol.${key}`);
  return [
    quotation(limitationsText, "N epochs", setting("epochs")),
    quotation(
      limitationsText,
      "N training(?:/| series and | samples, )N test",
      setting("n_train"),
      setting("n_test"),
    ),
    quotation(limitationsText, "so N training", setting("n_train")),
  ];
}

function tuningQuotations({ tuning: { baseline, idea } }: Judgement): Quotation[] {
  return [
    quotation(
      limitationsText,
      "ranked on N seeds, the idea's on N",
      exact(baseline.seeds.length),
      exact(idea.seeds.length),
    ),
    quotation(
      limitationsText,
      String.raw`\(N for the baseline, N for the idea\)`,
      exact(baseline.configurations),
      exact(idea.configurations),
    ),
  ];
}
