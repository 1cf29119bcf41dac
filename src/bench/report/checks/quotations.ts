import type { BenchReport } from "../document-v2.js";
import type { ReportConfig, SweepFigures } from "../document.js";
import type { Judgement } from "../judge.js";
import { armFigures } from "../figures/arm-figures.js";
import { childPath } from "../path.js";
import { isObject } from "../shape.js";
import { numberPattern } from "./quoted-number.js";

/** A figure that a text may quote. */
export interface Quotable {
  readonly value: number;
  /** Where the figure stands when it follows from no other: then the text is a witness for it. */
  readonly path?: string;
  /** The text prints the figure in full, such as a learning rate. */
  readonly exact?: boolean;
}

/** What the numbers that a pattern catches in a text stand for; of several figures the nearest is meant. */
export interface Quotation {
  /** The texts in which the words mean this. */
  readonly in: RegExp;
  readonly pattern: RegExp;
  /** The figures for each number caught, in order, given the numbers themselves. */
  figures(caught: readonly number[]): readonly (readonly Quotable[])[];
}

const N = `(${numberPattern})`;
const words = (source: string): RegExp => new RegExp(source.replaceAll("N", N), "gd");

/**
 * The quotations that both reports and this package's own texts use. `prefix` is that of the bench report's
 * paths.
 */
export function quotations(bench: BenchReport, prefix: string, judgement: Judgement): Quotation[] {
  const { pairs, pValue, statistics } = judgement;
  const arms = { baseline: armFigures(bench.baseline.full.per_seed), idea: armFigures(bench.idea.per_seed) };
  const means = [plain(arms.idea.mean), plain(arms.baseline.mean)];
  const ps = [plain(pValue), plain(statistics.sign_flip.p_value)];
  const all = /./;
  return [
    { in: /^verdict$/, pattern: words(String.raw`\(N vs N\)`), figures: () => [means, means] },
    {
      in: /^verdict$/,
      pattern: words(String.raw`mean test [\w ]+? N versus N`),
      figures: () => [means, means],
    },
    ...armNames.map((arm): Quotation => ({
      in: textOf(arm),
      pattern: words(String.raw`mean test [\w ]+? N, std N`),
      figures: () => [[plain(arms[arm].mean)], [plain(arms[arm].std)]],
    })),
    {
      in: all,
      pattern: words(String.raw`delta(?: was| ?=)? ?N`),
      figures: () => [[plain(pairs.delta_mean)]],
    },
    { in: all, pattern: words(String.raw`\bp ?= ?N`), figures: () => [ps] },
    {
      in: all,
      pattern: words("N/N wins"),
      figures: () => [[plain(pairs.idea_wins)], [plain(pairs.n_pairs)]],
    },
    { in: all, pattern: words("N paired seeds"), figures: () => [[plain(pairs.n_pairs)]] },
    { in: all, pattern: words("N% relative error"), figures: () => [relativeErrorPct(bench)] },
    ...armNames.map((arm): Quotation => ({
      in: textOf(arm),
      pattern: words("(?:best|tuned) lr=N"),
      figures: () => [bestRate(bench, prefix, arm)],
    })),
    ...armNames.map((arm): Quotation => ({
      in: textOf(arm),
      pattern: words(String.raw`(?<!best |tuned )lr=N N`),
      figures: ([rate]) => {
        const row = rowAt(bench[arm].sweep ?? [], rate);
        if (row < 0) return [[], []];
        const rowPath = childPath(`${prefix}${arm}.sweep`, row);
        const { cfg, mean } = bench[arm].sweep![row];
        return [[exact(Number(cfg.lr), `${rowPath}.cfg.lr`)], [{ value: mean, path: `${rowPath}.mean` }]];
      },
    })),
    {
      in: /^metrics\.baseline$/,
      pattern: words(String.raw`lr sweep \{N(?:, N)?(?:, N)?(?:, N)?(?:, N)?(?:, N)?\}`),
      figures: (caught) => caught.map(() => sweptRates(bench, prefix)),
    },
    ...mechanismQuotations(bench, prefix),
    ...protocolQuotations(bench, prefix),
  ];
}

const plain = (value: number): Quotable => ({ value });

const exact = (value: number, path: string): Quotable => ({ value, path, exact: true });

const armNames = ["baseline", "idea"] as const;

const textOf = (arm: string): RegExp => new RegExp(`^metrics\\.${arm}$`);

function relativeErrorPct(bench: BenchReport): Quotable[] {
  const error = bench.mechanism_signature.relative_error;
  return typeof error === "number" ? [plain(100 * error)] : [];
}

const rateOf = (cfg: ReportConfig | undefined, path: string): Quotable[] =>
  typeof cfg?.lr === "number" ? [exact(cfg.lr, `${path}.lr`)] : [];

/** The best learning rate of an arm. */
function bestRate(bench: BenchReport, prefix: string, arm: (typeof armNames)[number]): Quotable[] {
  return rateOf(bench[arm].best_cfg, `${prefix}${arm}.best_cfg`);
}

/** The learning rates that were tried. */
function sweptRates(bench: BenchReport, prefix: string): Quotable[] {
  return bench.baseline.sweep.flatMap(({ cfg }, at) =>
    rateOf(cfg, childPath(childPath(`${prefix}baseline.sweep`, at), "cfg")),
  );
}

/** The row whose learning rate is nearest to a quoted one. */
function rowAt(sweep: readonly SweepFigures[], rate: number): number {
  const distance = (at: number): number => Math.abs(Number(sweep[at].cfg.lr) - rate);
  return sweep.reduce(
    (nearest, _, at) => (nearest < 0 || distance(at) < distance(nearest) ? at : nearest),
    -1,
  );
}

function mechanismQuotations(bench: BenchReport, prefix: string): Quotation[] {
  const signature = bench.mechanism_signature;
  const trained = isObject(signature.trained_model) ? signature.trained_model : {};
  const path = `${prefix}mechanism_signature`;
  const figure = (name: string): Quotable[] => {
    const value = trained[name];
    return typeof value === "number" ? [{ value, path: `${path}.trained_model.${name}` }] : [];
  };
  const only = /^metrics\.mechanism_signature$/;
  return [
    { in: only, pattern: words("moment residual N"), figures: () => [figure("moment_residual")] },
    {
      in: only,
      pattern: words("relative perturbation N"),
      figures: () => [figure("compressed_relative_error")],
    },
    {
      in: /^metrics\.idea$/,
      pattern: words("rank=N"),
      figures: () => (typeof signature.rank === "number" ? [[exact(signature.rank, `${path}.rank`)]] : [[]]),
    },
  ];
}

function protocolQuotations(bench: BenchReport, prefix: string): Quotation[] {
  const only = /^limitations$/;
  const setting = (key: string): Quotable[] => {
    const value: unknown = bench.protocol?.[key as keyof typeof bench.protocol];
    return typeof value === "number" ? [exact(value, `${prefix}protocol.${key}`)] : [];
  };
  return [
    { in: only, pattern: words("N epochs"), figures: () => [setting("epochs")] },
    {
      in: only,
      pattern: words(String.raw`N training(?:/| series and )N test\b`),
      figures: () => [setting("n_train"), setting("n_test")],
    },
  ];
}
