import type { Json } from "../../../ideas/index.js";
import type { BenchReport } from "../document-v2.js";
import { valueAt } from "../path.js";
import { canonicalText } from "../serialize.js";

/** A setting of two runs, by its path in the bench report; undefined where a report does not have it. */
export interface SettingPair {
  readonly setting: string;
  readonly a: Json | undefined;
  readonly b: Json | undefined;
}

/** What makes two runs like or unlike. */
export interface SettingComparison {
  /** Settings that differ, or that one report only has: figures of such runs do not compare. */
  readonly differences: readonly SettingPair[];
  /** Settings that neither report has: that they were the same is taken on trust. */
  readonly unreported: readonly string[];
  /** Where the runs were made on other machines or by other programs, which decides wall times but no other figure. */
  readonly surroundings: readonly SettingPair[];
}

/** Settings outside the protocol that decide figures. */
const deciding = [
  "track",
  "model",
  "metric",
  "metric_direction",
  "tuning.selection",
  "tuning.baseline.seeds",
  "provenance.fingerprint",
];

const surrounding = ["node", "v8", "platform", "cpu", "executor", "workers", "kernels"];

/**
 * Compares the settings of two runs: track, model, metric, every entry of the protocol, how the configuration was chosen,
 * and the fingerprint of the code. The idea with its options may differ, it is what is compared; so may the final seeds, of
 * which the shared ones are paired.
 */
export function compareSettings(a: BenchReport, b: BenchReport): SettingComparison {
  const protocol = [a, b].flatMap((bench) => Object.keys(bench.protocol ?? {}));
  const named = [...new Set(protocol)].filter((key) => key !== "seeds").map((key) => `protocol.${key}`);
  const pair = (setting: string): SettingPair => ({
    setting,
    a: valueAt(a, setting),
    b: valueAt(b, setting),
  });
  const pairs = [...deciding.slice(0, 4), ...named, ...deciding.slice(4)].map(pair);
  return {
    differences: pairs.filter(differs),
    unreported: pairs.filter((one) => one.a === undefined && one.b === undefined).map((one) => one.setting),
    surroundings: surrounding.map((name) => pair(`provenance.${name}`)).filter(differs),
  };
}

function differs({ a, b }: SettingPair): boolean {
  return (a === undefined) !== (b === undefined) || canonicalText(a ?? null) !== canonicalText(b ?? null);
}
