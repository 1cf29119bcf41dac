import { describe, expect, test } from "vitest";
import { loadPlugins } from "../../../src/bench/plugins/load-plugins.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { fileWith, ideaText, modelText, trackText } from "./user-file.js";

const smallest = {
  preset: "quick",
  seeds: 1,
  sizes: { trainSize: 4, testSize: 4 },
  grid: { lr: [0.001] },
} as const;

/** Loads a file and runs its one idea, as small as can be, in this thread. */
async function run(text: string, options = {}, name = "mine.ts") {
  const { ideas, tracks, models } = await loadPlugins(fileWith(text, name));
  const [track] = tracks;
  const [model] = models;
  const plan = planRun({
    idea: ideas[0]!,
    options,
    ...smallest,
    ...(track && { track }),
    ...(model && { model }),
  });
  return runPlan(plan, { executor: "inline" });
}

const idea = (replaced: Readonly<Record<string, string>>, before = "") => ideaText(replaced, before);
const change = (body: string, before = "") => idea({ change: `() => ({ hidden: (h) => ${body} })` }, before);
const claim = (part: string, signature = "") =>
  idea({
    measure: `() => {
    const control = { what: "none", observed: 0, refuted: true };
    const claim = { quantity: "q", statement: "q", where: "trained model", predicted: 1, observed: 1, tolerance: 0, held: true, control, ${part} };
    return { claims: [claim], confirmed: true, figures: {}, ${signature} };
  }`,
  });

test("a good one runs to its end", async () => {
  const record = await run(idea({}));
  expect(record).toMatchObject({ idea: { name: "mine" }, mechanism: { confirmed: true } });
});

describe("what an idea does wrong is named, with its function, what was expected and what came", () => {
  test.each([
    [
      "a throw, with its line",
      idea({
        change:
          "() => {\n    const width = undefined;\n    return { hidden: (h) => h.mul(width.size) };\n  }",
      }),
      /E_PLUGIN: the idea mine \(.*mine\.ts\): hidden\(\) threw TypeError: .* at .*mine\.ts:\d+: `return \{ hidden: \(h\) => h\.mul\(width\.size\) \};`/,
    ],
    ["a throw of our own", change("h.reshape([7])"), /E_PLUGIN: .*hidden\(\) threw E_SHAPE: reshape/],
    [
      "a throw in change",
      idea({ change: "() => { throw new Error('no luck'); }" }),
      /E_PLUGIN: .*change\(\) threw Error: no luck at .*mine\.ts:\d+/,
    ],
    [
      "no change",
      idea({ change: "() => undefined" }),
      /E_PLUGIN: .*change\(\): expected an object such as .*, got undefined/,
    ],
    [
      "a mistyped place",
      idea({ change: "() => ({ hiden: (h) => h })" }),
      /E_PLUGIN: .*change\(\): expected a change of a place that models have, got 'hiden'; did you mean 'hidden'/,
    ],
    [
      "a place that is no function",
      idea({ change: "() => ({ hidden: 3 })" }),
      /E_PLUGIN: .*change\(\)\.hidden: expected a function of tensors, got number 3/,
    ],
    [
      "an async function",
      change("Promise.resolve(h)"),
      /E_PLUGIN: .*hidden\(\): expected a result at once, got a promise/,
    ],
    [
      "no tensor",
      change("undefined"),
      /E_PLUGIN: .*hidden\(\): expected a tensor, got undefined; does the function lack a `return`/,
    ],
    [
      "another shape",
      change("h.sum(0)"),
      /E_PLUGIN: .*hidden\(\): expected a tensor of shape \[3, 64\], as its input, got one of shape \[64\]/,
    ],
    [
      "another type",
      change("h.cast('float64')"),
      /E_PLUGIN: .*expected a float32 tensor, as its input, got a float64 one/,
    ],
    [
      "NaN",
      change("h.sub(h).div(h.sub(h))"),
      /E_PLUGIN: .*hidden\(\): expected finite numbers for finite inputs, got NaN at element 0/,
    ],
    [
      "checks that are no list",
      idea({ checks: "() => ({})" }),
      /E_PLUGIN: .*checks\(\): expected its result to be a list, got an object/,
    ],
    [
      "a check without a bound",
      idea({ checks: '() => [{ name: "a", statement: "a", observed: 0, passed: true }]' }),
      /E_PLUGIN: .*checks\(\): expected 'a'\.bound to be a number, got undefined/,
    ],
    [
      "an identity of NaN",
      idea({ checks: '() => [{ name: "a", statement: "a = a", observed: NaN, bound: 0, passed: true }]' }),
      /E_IDENTITY: .*a: a = a \(observed NaN, allowed 0\)/,
    ],
    [
      "no signature",
      idea({ measure: "() => 3" }),
      /E_PLUGIN: .*measure\(\): expected its result to be an object, got number 3/,
    ],
    [
      "a claim of NaN",
      claim("observed: NaN"),
      /E_PLUGIN: .*measure\(\): expected claims\[0\]\.observed to be a number, got number NaN/,
    ],
    [
      "a claim without a control",
      claim("control: undefined"),
      /E_PLUGIN: .*expected claims\[0\]\.control to be an object, got undefined/,
    ],
    [
      "a claim from nowhere",
      claim('where: "here"'),
      /E_PLUGIN: .*claims\[0\]\.where to be "random inputs" or "trained model", got string here/,
    ],
    [
      "a confirmation that does not follow",
      claim("held: false"),
      /E_PLUGIN: .*expected confirmed to be false: .*, got true/,
    ],
    [
      "figures that are no data",
      claim("", "figures: { f: () => 1 }"),
      /E_PLUGIN: .*expected figures\.f to be plain data .*, got a function/,
    ],
    [
      "no summary",
      idea({ summarize: "() => ({})" }),
      /E_PLUGIN: .*summarize\(\): expected mechanism to be an object, got undefined/,
    ],
  ])("%s", async (_what, text, message) => {
    await expect(run(text)).rejects.toThrow(message);
  });

  test("an unknown option, one of another type, and a place that the model lacks", async () => {
    await expect(run(idea({}), { strenght: 1 })).rejects.toThrow(
      /E_IDEA: the idea mine has no option 'strenght'; did you mean 'strength'/,
    );
    await expect(run(idea({}), { strength: "much" })).rejects.toThrow(
      /E_IDEA: the option 'strength' of mine takes a finite number; found "much"/,
    );
    await expect(run(idea({ change: "() => ({ attention: (q, k, v) => v })" }))).rejects.toThrow(
      /E_IDEA: mine changes the attention of a model, and rnn_small has no such place/,
    );
  });
});

describe("what is not pure is found before anything is trained", () => {
  const wander = "let state = 0;";
  test.each([
    [
      "Math.random",
      change("h.mul(Math.random())"),
      /E_IMPURE: .*hidden\(\) draws from Math\.random, whose numbers no seed determines at .*mine\.ts:\d+: .*Draw from the generator/,
    ],
    [
      "crypto",
      change("h.mul(crypto.getRandomValues(new Uint8Array(1))[0])"),
      /E_IMPURE: .*draws from crypto\.getRandomValues/,
    ],
    [
      "a write to its options",
      idea({ change: "(options) => { options.strength = 2; return {}; }" }),
      /E_IMPURE: .*change\(\) writes to what it was given.*read only property 'strength'/,
    ],
    [
      "a write to its input",
      change("(h.array.data.fill(0), h.mul(1))"),
      /E_IMPURE: .*hidden\(\) wrote to tensor 1 of those that it was given/,
    ],
    [
      "a write to a trained model",
      idea({
        measure:
          "(trained) => { trained.hiddenStates()[0].array.data.fill(0); return { claims: [], confirmed: false, figures: {} }; }",
      }),
      /E_IMPURE: .*measure\(\) wrote to tensor 1/,
    ],
    [
      "a write to a list of a trained model",
      idea({ measure: "(trained) => { trained.hiddenStates().pop(); }" }),
      /E_IMPURE: .*measure\(\) writes to what it was given/,
    ],
    [
      "a prototype changed by the import",
      idea({}, "Array.prototype.mine = 1; setTimeout(() => delete Array.prototype.mine);"),
      /E_IMPURE: .*mine\.ts: importing it changed Array\.prototype\.mine/,
    ],
    [
      "a prototype changed by a call",
      idea(
        {
          change:
            "() => { Math.mine ??= 1; setTimeout(() => delete Math.mine); return { hidden: (h) => h }; }",
        },
        "",
      ),
      /E_IMPURE: the idea mine \(.*mine\.ts\): change\(\) changed Math\.mine/,
    ],
    [
      "a variable of the module",
      change("h.mul((state += 1) / 100)", wander),
      /E_NONDETERMINISM: the idea mine gave two results for one cell.*a variable of the module that a call changes/,
    ],
    [
      "the clock",
      change("h.mul(1 + (Date.now() % 1009) / 1009 + performance.now() / 1e6)"),
      /E_NONDETERMINISM: the idea mine gave two results/,
    ],
    ["a random number of the import", change("h.mul(own)", "const own = Math.random();"), /E_NONDETERMINISM/],
  ])("%s", async (_what, text, message) => {
    await expect(run(text)).rejects.toThrow(message);
  });
});

/** The good idea, as a constant. */
const quickIdea = ideaText().replace("export default {", "const idea = {");

describe("tracks and models", () => {
  test("good ones run to their end, beside each other", async () => {
    const text = `${modelText()}\n${trackText()}\n${quickIdea}\nexport default [model, track, idea];`;
    const record = await run(text);
    expect(record).toMatchObject({ track: "ramp", model: "plain" });
    expect(record.floors.map(({ name }) => name)).toEqual(["zero"]);
  });

  test.each([
    [
      "data of another size",
      trackText({ count: "count + 1" }),
      /E_PLUGIN: the track ramp .*make\(\): expected train\.count to be \d+, got number \d+/,
    ],
    [
      "numbers of another kind",
      trackText({ x: "[...x]" }),
      /E_PLUGIN: .*expected train\.x to be a Float32Array, got a list/,
    ],
    [
      "too few numbers",
      trackText({ y: "y.slice(1)" }),
      /E_PLUGIN: .*expected train\.y to have \d+ numbers, got \d+/,
    ],
    ["NaN", trackText({ y: "y.fill(NaN)" }), /E_PLUGIN: .*expected train\.y to be finite, got NaN at 0/],
    [
      "data from Math.random",
      trackText({ y: "y.map(() => Math.random())" }),
      /E_IMPURE: the track ramp .*make\(\) draws from Math\.random/,
    ],
    [
      "data from a variable",
      trackText({ y: "y.map(() => (calls += 1))" }),
      /E_NONDETERMINISM: the track ramp made two different train\.y for seed 0/,
    ],
    [
      "parts that shift each other",
      trackText({ y: "y.fill(sizes.train)" }),
      /E_IMPURE: the track ramp: train\.y of seed 0 is another one when there is one more training series/,
    ],
    [
      "no floors",
      trackText({ floors: "[]" }),
      /E_PLUGIN: .*floors\(\): expected a list of \{ name, value \} with at least one/,
    ],
    [
      "a floor of NaN",
      trackText({ floors: '[{ name: "zero", value: NaN }]' }),
      /E_PLUGIN: .*expected the floor 'zero' to be a finite number/,
    ],
    [
      "floors that write to the data",
      trackText({ floors: '(data.test.y.fill(7), [{ name: "zero", value: 1 }])' }),
      /E_IMPURE: .*floors\(\) wrote to the data/,
    ],
  ])("a track with %s", async (_what, text, message) => {
    await expect(run(`${text}\n${quickIdea}\nexport default [track, idea];`)).rejects.toThrow(message);
  });

  test.each([
    [
      "no module",
      modelText({ module: "{}" }),
      /E_PLUGIN: the model plain .*build\(\): expected module to be a Module of gradstand\/nn, got an object/,
    ],
    [
      "a forecast of another shape",
      modelText({ forward: "gru.forward(x).hidden" }),
      /E_PLUGIN: .*forward\(\): expected a tensor of shape \[\d, 2\], got one of shape \[1, \d, 64\]/,
    ],
    [
      "no look inside",
      modelText({ observe: "undefined" }),
      /E_PLUGIN: .*observe\(\): expected an object \{ hiddenStates, attentionInputs \}/,
    ],
    [
      "a start that depends on the change",
      modelText({ head: "change.hidden ? (rng.uniform(), rng) : rng" }),
      /E_IMPURE: the model plain begins with other parameters when mine changes it/,
    ],
  ])("a model with %s", async (_what, text, message) => {
    await expect(run(`${text}\n${quickIdea}\nexport default [model, idea];`)).rejects.toThrow(message);
  });
});
