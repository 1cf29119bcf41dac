import { expect, test } from "vitest";
import { buildReport } from "../../src/bench/report/index.js";
import { verdictSentence } from "../../src/cli/render/verdict-sentence.js";
import { firstValues, sampleRun, secondValues, type SampleSettings } from "../bench/report/sample-run.js";

const sentence = (settings: SampleSettings): string =>
  verdictSentence(buildReport(sampleRun(settings)), "do that");

test("a verdict is one line: effect with its interval, seeds won, cost, checks, rule, next command", () => {
  const line = sentence({});
  expect(line).not.toContain("\n");
  // +0.000845625 of 0.00675402, and the inverted sign-flip interval −0.00133485 to 0.00313162 of it
  expect(line).toMatch(
    /worse, \+12\.5 % of the baseline, interval -19\.8 % to \+46\.4 %; 3\/8 seeds won; parameters ×1, wall time ×1; /,
  );
  expect(line).toMatch(
    /identities and the mechanism confirmed; by the rule 'strict' \(capped: test-selection\); by the rule 'seed-v1' system partial, practical inconclusive; next: do that$/,
  );
  expect(line).not.toMatch(/uninformative/);
});

test("it says first when the run is uninformative, naming the floors that are not beaten", () => {
  const line = sentence({ floor: firstValues.map((value) => value / 3) });
  expect(line).toMatch(/^uninformative \(the baseline does not beat mean, ridge\), inconclusive; /);
});

test("the direction of the metric decides what is better", () => {
  const doubled = firstValues.map((value) => 2 * value);
  expect(sentence({ idea: doubled, direction: "lower" })).toMatch(/worse, \+100 % of/);
  expect(sentence({ idea: doubled, direction: "higher" })).toMatch(/better, \+100 % of/);
  expect(sentence({ idea: firstValues })).toMatch(/no difference, 0 % of/);
});

test("an arm that diverged is named with the number of its seeds, in the place of an effect", () => {
  const [first, second] = [
    [NaN, ...firstValues.slice(1)],
    [Infinity, NaN, ...secondValues.slice(2)],
  ];
  const clause = (settings: SampleSettings): string | undefined => sentence(settings).split("; ")[1];
  expect(clause({ idea: second })).toBe("the idea diverged on 2 of 8 seeds: the arms cannot be compared");
  expect(clause({ baseline: first })).toBe(
    "the baseline diverged on 1 of 8 seeds: the arms cannot be compared",
  );
  expect(clause({ baseline: first, idea: second })).toBe(
    "the baseline diverged on 1 of 8 seeds, the idea diverged on 2 of 8 seeds: the arms cannot be compared",
  );
  expect(sentence({ idea: second })).not.toMatch(/NaN|Infinity|better|worse|seeds won/);
});
