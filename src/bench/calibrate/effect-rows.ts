import { mean } from "../../stats/index.js";
import { pairedArms, type Bench, type Trial } from "./arms.js";
import { nothing, width } from "./ideas.js";
import { firstSeed, larger, narrow, pairs, small } from "./protocol.js";
import { short, type CalibrationRow } from "./row.js";
import { verdictOfArms } from "./verdict-of-arms.js";

/** The same cell trained twice must be the same to the bit: every difference 0, and p = 1. */
export async function identicalArms(bench: Bench): Promise<CalibrationRow> {
  const arm = { settings: small };
  const { baseline, idea } = await pairedArms(bench, firstSeed.identical, pairs, arm, arm);
  const { verdict, pValue, differences } = verdictOfArms(baseline, idea);
  const exact = differences.filter((difference) => difference === 0).length;
  return {
    name: "identical arms",
    expected: "every difference exactly 0, p = 1",
    found: `${exact} of ${pairs} differences are 0, p = ${pValue}, ${verdict.replace("_", " ")}`,
    passed: exact === pairs && pValue === 1 && verdict === "no_effect",
    figures: { differences, p_value: pValue, verdict },
  };
}

interface Effect {
  readonly name: string;
  readonly seeds: number;
  readonly first: number;
  readonly baseline: Omit<Trial, "seed">;
  readonly idea: Omit<Trial, "seed">;
  readonly verdict: "no_effect" | "harmful" | "worked";
  readonly expected: string;
}

const widthOf = (units: number): Trial["idea"] => ({ name: width.name, options: { units } });

const effects: readonly Effect[] = [
  {
    name: "a layer that changes nothing",
    seeds: pairs,
    first: firstSeed.nothing,
    baseline: { settings: small },
    idea: { settings: small, idea: { name: nothing.name, options: {} } },
    verdict: "no_effect",
    expected: "no effect",
  },
  {
    name: "a learning rate × 30",
    seeds: pairs,
    first: firstSeed.rate,
    baseline: { settings: larger },
    idea: { settings: { ...larger, lr: 30 * larger.lr } },
    verdict: "harmful",
    expected: "harmful",
  },
  {
    name: "a model of double width (8 → 16 units)",
    seeds: narrow.seeds,
    first: firstSeed.width,
    baseline: { settings: narrow.settings, idea: widthOf(narrow.units) },
    idea: { settings: narrow.settings, idea: widthOf(2 * narrow.units) },
    verdict: "worked",
    expected: "better",
  },
];

/** Changes whose effect is known, each judged by the strict profile. */
export const effectRows: readonly ((bench: Bench) => Promise<CalibrationRow>)[] = effects.map(
  ({ name, seeds, first, baseline, idea, verdict, expected }) =>
    async (bench) => {
      const arms = await pairedArms(bench, first, seeds, baseline, idea);
      const judged = verdictOfArms(arms.baseline, arms.idea);
      const [before, after] = [mean(arms.baseline), mean(arms.idea)];
      const won = judged.differences.filter((difference) => difference < 0).length;
      return {
        name,
        expected,
        found:
          `${judged.verdict === "worked" ? "better" : judged.verdict.replace("_", " ")}: MSE ${short(before)} → ` +
          `${short(after)}, ${won} of ${seeds} seeds better, p = ${short(judged.pValue)}`,
        passed: judged.verdict === verdict,
        figures: {
          baseline: arms.baseline,
          idea: arms.idea,
          p_value: judged.pValue,
          verdict: judged.verdict,
        },
      };
    },
);
