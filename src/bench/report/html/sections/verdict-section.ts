import { plainVerdict } from "../../present/plain-verdict.js";
import type { ReportView } from "../../present/report-view.js";
import { bullets, folded, table, type Section } from "../elements.js";
import { phraseMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";

/** The verdict in plain words, and both profiles with their rules and reasons. */
export function verdictSection(view: ReportView): Section {
  const { tone, headline, sentences } = plainVerdict(view);
  return {
    id: "verdict",
    heading: "Verdict",
    body: [
      faultsOf(view),
      markup`<div class="verdict ${tone}"><p class="headline">${headline}</p>
${sentences.map((sentence) => markup`<p>${phraseMarkup(sentence)}</p>\n`)}</div>`,
      profiles(view),
    ],
  };
}

/** What does not hold comes before any verdict. */
function faultsOf({ faults }: ReportView): Content {
  if (faults.size === 0) return undefined;
  const items = [...faults.values()].map(
    ({ path, reported, implied, why }) =>
      markup`<code>${path}</code> is ${text(reported)}${implied === undefined ? "" : `, should be ${text(implied)}`}: ${why}`,
  );
  return markup`<div class="broken" role="note"><p class="headline">This report does not hold</p>
<p>${faults.size === 1 ? "A value does" : `${faults.size} values do`} not follow from the others. Figures below are shown as the report prints them; the verdicts are derived with what is known put right.</p>
${bullets(items)}</div>`;
}

const text = (value: unknown): string =>
  value === undefined ? "missing" : typeof value === "number" ? String(value) : JSON.stringify(value);

function profiles(view: ReportView): Content {
  const { seed, strict } = view.verification.verdicts;
  const yes = (held: boolean): string => (held ? "yes" : "no");
  return [
    table(
      "Both verdict profiles",
      ["", "strict", "seed-v1 (the first reports' profile)"],
      [
        ["practical", words(strict.verdict), words(seed.practical_verdict)],
        ["system", strict.system_verdict, seed.system_verdict],
        [
          "mechanism",
          `stands: ${yes(strict.mechanism_stands)}`,
          `confirmed: ${yes(seed.mechanism_ok === 1)}`,
        ],
        ["rule", strict.rule, seed.rule],
      ],
    ),
    folded(
      "Reasons of both profiles",
      [strict, seed].map(({ profile, reasons }) => markup`<h3>${profile}</h3>${bullets(reasons)}`),
    ),
  ];
}

const words = (verdict: string): string => verdict.replaceAll("_", " ");
