import { ideaNamed, planRun, runPlan } from "../run/index.js";
import { buildReport } from "../report/index.js";
import type { Idea } from "../../ideas/index.js";
import type { Bench } from "./arms.js";
import { empty, fake } from "./ideas.js";
import { firstSeed } from "./protocol.js";
import type { CalibrationRow } from "./row.js";

interface Case {
  readonly name: string;
  readonly idea: () => Idea;
  readonly expected: string;
  readonly held: boolean;
  readonly refuted: boolean;
}

const cases: readonly Case[] = [
  {
    name: "a faked mechanism",
    idea: () => fake,
    expected: "refuted: the claim does not hold on a trained model",
    held: false,
    refuted: true,
  },
  {
    name: "a claim that holds for anything",
    idea: () => empty,
    expected: "refuted: its negative control holds as well",
    held: true,
    refuted: false,
  },
  {
    name: "the mechanism of moment-rank2",
    idea: () => ideaNamed("moment-rank2"),
    expected: "confirmed",
    held: true,
    refuted: true,
  },
];

/** Whole runs of the preset quick whose mechanism is known to be there or not, each judged in its report. */
export const mechanismRows: readonly ((bench: Bench) => Promise<CalibrationRow>)[] = cases.map(
  ({ name, idea, expected, held, refuted }) =>
    async ({ executor, onCell }) => {
      const seeds = [firstSeed.mechanism, firstSeed.mechanism + 1];
      const plan = planRun({ idea: idea(), preset: "quick", seeds, grid: { lr: [0.003] } });
      const run = await runPlan(plan, {
        executor,
        onProgress: ({ event }) => (event.kind === "trained" ? onCell() : undefined),
      });
      const { bench_report: bench } = buildReport(run);
      const claims = bench.mechanism.flatMap((model) => model.claims);
      const holding = claims.filter((claim) => claim.held).length;
      const failing = claims.filter((claim) => claim.control.refuted).length;
      const { mechanism_stands: stands } = bench.verdicts.strict;
      const all = (count: number): boolean => count === claims.length && count > 0;
      return {
        name,
        expected,
        found:
          `${stands ? "confirmed" : "refuted"}: ${holding} of ${claims.length} claims held, ` +
          `${failing} of ${claims.length} controls failed as they must`,
        passed:
          stands === (held && refuted) &&
          bench.mechanism_signature.confirmed === stands &&
          (held ? all(holding) : holding === 0) &&
          (refuted ? all(failing) : failing === 0),
        figures: { claims: claims.length, held: holding, refuted: failing, stands },
      };
    },
);
