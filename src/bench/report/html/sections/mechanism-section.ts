import type { BenchReportV2 } from "../../document-v2.js";
import { claimGroups, type PlacedClaim } from "../../present/claim-groups.js";
import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { beside, entriesOf, folded, table, type Section, whole } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";
import { claimPlot } from "../plots/claim-plot.js";

/** The identities before training, and the claims on the trained models beside their controls. */
export function mechanismSection(view: ReportView): Section {
  const { bench } = view;
  const said = [
    markup`<h3>As the report sums it up</h3>`,
    entriesOf(view, "mechanism_signature"),
    markup`<h3>Mathematics before training</h3>`,
    entriesOf(view, "math_verification") ?? markup`<p>The report says nothing of it.</p>`,
  ];
  const claims = bench.bench_version === 2 ? claimsOf(view, bench) : noClaims;
  return { id: "mechanism", heading: "Mechanism", body: [claims, said] };
}

const noClaims = markup`<p>A report of version 1 has no claims with controls: whether the mechanism is confirmed is its author's word.</p>`;

function claimsOf(view: ReportView, bench: BenchReportV2): Content {
  const groups = claimGroups(bench);
  if (groups.length === 0)
    return [markup`<p>No claim was measured on a trained model.</p>`, identities(view, bench)];
  const held = (count: number, total: number): Content => whole(`${count} of ${total}`);
  const summary = table(
    "Claims over all trained models",
    [
      "claim",
      "predicted",
      "furthest observed",
      "tolerance",
      "held",
      "control, nearest to the claim",
      "control refuted",
    ],
    groups.map(({ quantity, claims, furthest, nearestControl }) => [
      markup`${quantity} <span class="formula">${furthest.claim.statement}</span>`,
      predicted(view, furthest),
      figureMarkup(reported(view, `${furthest.path}.observed`)),
      figureMarkup(reported(view, `${furthest.path}.tolerance`)),
      held(claims.filter(({ claim }) => claim.held).length, claims.length),
      markup`${nearestControl.claim.control.what}: ${figureMarkup(reported(view, `${nearestControl.path}.control.observed`))}`,
      held(claims.filter(({ claim }) => claim.control.refuted).length, claims.length),
    ]),
  );
  return [
    beside(claimPlot(bench), identities(view, bench)),
    summary,
    folded(
      "Every claim on every trained model",
      everyClaim(
        view,
        groups.flatMap(({ claims }) => claims),
      ),
    ),
  ];
}

function predicted(view: ReportView, { claim, path }: PlacedClaim): Content {
  return typeof claim.predicted === "number"
    ? figureMarkup(reported(view, `${path}.predicted`))
    : claim.predicted;
}

function everyClaim(view: ReportView, claims: readonly PlacedClaim[]): Content {
  return table(
    "Claims on each trained model",
    ["claim", "seed", "where", "predicted", "observed", "tolerance", "held", "control observed", "refuted"],
    claims.map((placed) => {
      const { claim, seed, path } = placed;
      return [
        claim.quantity,
        seed,
        claim.where,
        predicted(view, placed),
        figureMarkup(reported(view, `${path}.observed`)),
        figureMarkup(reported(view, `${path}.tolerance`)),
        claim.held ? "yes" : "NO",
        figureMarkup(reported(view, `${path}.control.observed`)),
        claim.control.refuted ? "yes" : "NO",
      ];
    }),
  );
}

function identities(view: ReportView, { math_checks: checks }: BenchReportV2): Content {
  if (checks.length === 0) return markup`<p>No identity was checked.</p>`;
  return table(
    "Identities on random inputs",
    ["identity", "observed", "bound", "holds"],
    checks.map(({ name, statement, passed }, at) => [
      markup`${name} <span class="formula">${statement}</span>`,
      figureMarkup(reported(view, `math_checks[${at}].observed`)),
      figureMarkup(reported(view, `math_checks[${at}].bound`)),
      passed ? "yes" : "NO",
    ]),
  );
}
