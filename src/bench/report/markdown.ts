import { lostSeeds } from "./figures/arm-figures.js";
import { lossOf, unfinishedCells } from "./figures/unfinished.js";
import { claimGroups } from "./present/claim-groups.js";
import { computed, figureText, intervalOf, reported, statistic, type Figure } from "./present/figure.js";
import type { Phrase } from "./present/phrase.js";
import { plainVerdict } from "./present/plain-verdict.js";
import type { ReportView } from "./present/report-view.js";
import { sweepRows } from "./present/sweep-rows.js";
import { visibleText } from "./present/visible-text.js";

/**
 * A report as GitHub's Markdown for a pull request: the verdict in plain words, the figures that it rests on, floors,
 * sweep and claims. Texts of the report stand in code, where they can be neither markup nor a mention of somebody.
 */
export function reportMarkdown(view: ReportView): string {
  const { tone, headline, sentences } = plainVerdict(view);
  const mark = { better: "✅", worse: "❌", same: "➖", open: "❔" }[tone];
  return [
    `## ${code(view.title)}: bench report`,
    ...faultsOf(view),
    `**${mark} ${headline}**`,
    sentences.map((sentence) => `- ${phraseMarkdown(sentence)}`).join("\n"),
    unfinishedOf(view),
    figuresOf(view),
    familyOf(view),
    furtherMetricsOf(view),
    floorsOf(view),
    sweepOf(view),
    claimsOf(view),
    controlsOf(view),
    `Made from ${code(view.file)}; \`gradstand bench verify\` recomputes every figure.`,
  ]
    .filter((block) => block !== "")
    .map((block) => `${block}\n`)
    .join("\n");
}

/** A text of the report as code: newlines and table bars cannot end it. */
export function code(text: string): string {
  const line = visibleText(text).replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
  if (line === "") return "` `";
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const room = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${room}${line}${room}${fence}`;
}

/** Texts of a sentence without anything that Markdown or HTML would take for its own. */
function phraseMarkdown(parts: Phrase): string {
  return parts.map((part) => (typeof part === "string" ? escaped(part) : figureText(part))).join("");
}

function escaped(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>#|~$]/g, "\\$&")
    .replace(/[&@]/g, (character) => `&#${character.charCodeAt(0)};<!-- -->`)
    .replaceAll("://", ":<!-- -->//");
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

function faultsOf({ faults }: ReportView): string[] {
  if (faults.size === 0) return [];
  const lines = [...faults.values()].map(({ path, why }) => `> - ${code(path)}: ${code(why)}`);
  return [
    `> **❌ This report does not hold.** Values that do not follow from the others:\n${lines.join("\n")}`,
  ];
}

/** The cells that did not end; nothing where all of them did. */
function unfinishedOf({ bench }: ReportView): string {
  const cells = bench.bench_version === 1 ? [] : unfinishedCells(bench);
  if (cells.length === 0) return "";
  return table(
    ["did not end, and is tried again by a resumed run", "status"],
    cells.map(({ what, status }) => [code(what), status]),
  );
}

function figuresOf(view: ReportView): string {
  const { bench } = view;
  const lost = lostSeeds([...bench.baseline.full.per_seed, ...bench.idea.per_seed]);
  const text = (figure: Figure): string => figureText(figure);
  const interval = intervalOf(view, "sign_flip_interval");
  const rows = [
    [
      "tuned baseline, mean ± std",
      `${text(reported(view, "baseline.full.mean"))} ± ${text(reported(view, "baseline.full.std"))}`,
    ],
    ["idea, mean ± std", `${text(reported(view, "idea.mean"))} ± ${text(reported(view, "idea.std"))}`],
    [
      "difference (idea − baseline)",
      `${text(reported(view, "comparison.delta_mean", "signed"))} (${text(statistic(view, "effect.relative_pct", "signed percent"))})`,
    ],
    ...sequentialRows(view),
    ["sign-flip interval", interval ? `${text(interval[0])} to ${text(interval[1])}` : "none"],
    ["p (sign-flip)", text(statistic(view, "sign_flip.p_value"))],
    [
      "seeds won",
      `${text(reported(view, "comparison.idea_wins"))} of ${text(reported(view, "comparison.n_pairs"))}`,
    ],
    ["margin that does not matter", `±${text(statistic(view, "equivalence.margin"))}`],
    [
      "found 4 times in 5",
      `${text(statistic(view, "mde_80.difference"))} (${text(statistic(view, "mde_80.rel_pct", "percent"))})`,
    ],
    ...(lost > 0 ? [[lossOf(bench), String(lost)]] : []),
    ...(bench.bench_version === 2
      ? (["parameters", "seconds"] as const)
          .filter((cost) => bench.cost[cost] !== null)
          .map((cost) => [`${cost}, idea over baseline`, `×${text(reported(view, `cost.${cost}`))}`])
      : []),
  ];
  return table([`${code(bench.track)}, ${code(bench.model)}`, `test ${code(view.metric)}`], rows);
}

/** What holds of seeds that were added under a plan; nothing where their number was fixed. */
function sequentialRows(view: ReportView): string[][] {
  const evidence = view.verification.judgement.sequential;
  if (evidence === undefined) return [];
  const end = (at: 0 | 1): string => figureText(computed(view, `sequential.interval[${at}]`, "signed"));
  return [
    ["seeds added under a plan, ended by", evidence.stopped],
    ["interval that accounts for the looks", evidence.interval ? `${end(0)} to ${end(1)}` : "none"],
    ["p that accounts for the looks", figureText(computed(view, "sequential.p_value"))],
    ["what follows is for a fixed number of seeds", "too sure here"],
  ];
}

/** The comparisons made together; nothing for a report that stands alone. */
function familyOf(view: ReportView): string {
  const { bench } = view;
  if (bench.bench_version === 1 || bench.family.members.length === 1) return "";
  const { members, own } = bench.family;
  const rows = members.map((member, at) => {
    const p = (key: "p_value" | "holm" | "benjamini_hochberg"): string =>
      member[key] === null ? "not finished" : figureText(reported(view, `family.members[${at}].${key}`));
    const name = `${code(member.idea)} on ${code(member.track)} with ${code(member.model)}`;
    return [at === own ? `**${name}**` : name, p("p_value"), p("holm"), p("benjamini_hochberg")];
  });
  return table([`family of ${members.length}`, "p", "Holm (decides)", "Benjamini–Hochberg"], rows);
}

function furtherMetricsOf(view: ReportView): string {
  const { bench } = view;
  if (bench.bench_version === 1 || !bench.further_metrics?.length) return "";
  const rows = bench.further_metrics.map(({ name, direction }, at) => {
    const text = (path: string, style?: "signed"): string =>
      figureText(reported(view, `further_metrics[${at}].${path}`, style));
    return [
      `${code(name)}, ${direction}`,
      text("baseline.mean"),
      text("idea.mean"),
      text("comparison.delta_mean", "signed"),
      text("comparison.p_value"),
    ];
  });
  return table(["beside the metric", "baseline", "idea", "idea − baseline", "p (sign-flip)"], rows);
}

function floorsOf(view: ReportView): string {
  const { bench } = view;
  if (bench.bench_version === 1) return "No floors are reported.";
  if (bench.floors.length === 0) return "No floor was measured.";
  return table(
    ["floor", "mean", "beaten by the baseline"],
    bench.floors.map(({ name, beaten }, at) => [
      code(name),
      figureText(reported(view, `floors[${at}].mean`)),
      beaten ? "yes" : "**no**",
    ]),
  );
}

function sweepOf(view: ReportView): string {
  const rows = sweepRows(view.bench).map(({ name, baseline, idea }) => [
    code(name),
    baseline ? figureText(reported(view, `baseline.sweep[${baseline.at}].mean`)) : "not reported",
    idea ? figureText(reported(view, `idea.sweep[${idea.at}].mean`)) : "not reported",
  ]);
  return table(["configuration", "baseline", "idea"], rows);
}

function claimsOf(view: ReportView): string {
  const { bench } = view;
  if (bench.bench_version === 1 || bench.mechanism.length === 0) return "";
  const rows = claimGroups(bench).map(({ quantity, claims, furthest, nearestControl }) => [
    code(quantity),
    figureText(reported(view, `${furthest.path}.observed`)),
    `${claims.filter(({ claim }) => claim.held).length} of ${claims.length}`,
    `${code(nearestControl.claim.control.what)} ${figureText(reported(view, `${nearestControl.path}.control.observed`))}`,
    `${claims.filter(({ claim }) => claim.control.refuted).length} of ${claims.length}`,
  ]);
  return table(["claim", "furthest observed", "held", "control", "refuted"], rows);
}

function controlsOf(view: ReportView): string {
  const { bench } = view;
  if (bench.bench_version === 1 || bench.controls === undefined) return "";
  const { arms, is_baseline, finding } = bench.controls;
  const rows = arms.map(({ name, idea_is: is, versus_idea: { interval } }, at) => {
    const path = `controls.arms[${at}]`;
    const figure = (key: string, style: "plain" | "signed" = "plain"): string =>
      figureText(reported(view, `${path}.${key}`, style));
    return [
      code(name),
      figure("mean"),
      figure("versus_idea.delta_mean", "signed"),
      interval
        ? `${figure("versus_idea.interval[0]", "signed")} to ${figure("versus_idea.interval[1]", "signed")}`
        : "none",
      figure("versus_idea.p_adjusted"),
      is === "better" ? is : `**${is}**`,
    ];
  });
  return [
    ...(finding === "" ? [] : [`**${escaped(finding)}**`]),
    ...(rows.length === 0
      ? []
      : [table(["control", "mean", "idea − control", "interval", "p, Holm", "the idea is"], rows)]),
    ...is_baseline.map(({ name }) => `The control ${code(name)} is the baseline itself.`),
  ].join("\n\n");
}
