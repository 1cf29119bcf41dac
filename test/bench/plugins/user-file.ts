import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, removed when the test has ended. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-plugins-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** A file of this text. */
export function fileWith(text: string, name = "mine.ts"): string {
  return path.join(folderWith({ [name]: text }), name);
}

/** The text of an idea that scales the hidden state, with some parts replaced. */
export function ideaText(replaced: Readonly<Record<string, string>> = {}, before = ""): string {
  const parts = {
    name: '"mine"',
    title: '"Mine"',
    summary: '"scales the hidden state"',
    source: '"none"',
    track: '"dynamics"',
    model: '"rnn_small"',
    options: "{ strength: 0.5 }",
    change: "({ strength }) => ({ hidden: (h) => h.mul(strength) })",
    checks: '() => [{ name: "zero", statement: "0 = 0", observed: 0, bound: 0, passed: true }]',
    measure: `(trained) => {
    const observed = Math.hypot(...trained.hiddenStates().at(-1).values());
    const control = { what: "a zero state", observed: 0, refuted: true };
    const claim = { quantity: "norm", statement: "‖h‖ > 0", where: "trained model", predicted: "> 0", observed, tolerance: 0, held: observed > 0, control };
    return { claims: [claim], confirmed: claim.held, figures: { observed } };
  }`,
    ...replaced,
  };
  const lines = Object.entries(parts).map(([name, text]) => `  ${name}: ${text},`);
  return `${before}\nexport default {\n${lines.join("\n")}\n};\n`;
}

/** The text of a track of ramps as `const track`, with some parts replaced. */
export function trackText(replaced: Readonly<Record<string, string>> = {}): string {
  const parts = { count: "count", x: "x", y: "y", floors: '[{ name: "zero", value: 1 }]', ...replaced };
  return `
import { generator } from "gradstand";
let calls = 0;
const part = (count, rng, sizes) => {
  const x = new Float32Array(2 * count).map(() => rng.uniform());
  const y = new Float32Array(2 * count).map((_, i) => x[i]);
  return { count: ${parts.count}, x: ${parts.x}, y: ${parts.y} };
};
const track = {
  name: "ramp", title: "Ramp", description: "the numbers themselves", metric: "MSE", loss: "squared error", direction: "lower",
  defaultModel: "rnn_small", input: { kind: "series", steps: 1, features: 2 }, outputs: 2,
  make(seed, sizes) {
    const data = generator(seed).stream("data");
    const made = (name) => part(sizes[name] ?? 0, data.stream(name), sizes);
    return { train: made("train"), validation: made("validation"), test: made("test") };
  },
  floors: (data) => ${parts.floors},
};`;
}

/** The text of a recurrent model of 64 units as `const model`, with some parts replaced. */
export function modelText(replaced: Readonly<Record<string, string>> = {}): string {
  const parts = {
    module: "module",
    forward: "head.forward(gru.forward(x).hidden.slice([0]))",
    observe: "{ hiddenStates: () => states, attentionInputs: () => [] }",
    head: 'rng.stream("head")',
    ...replaced,
  };
  return `
import { noGrad } from "gradstand";
import { GRU, Linear, Module } from "gradstand/nn";
class Plain extends Module {
  constructor(gru, head) { super(); this.gru = gru; this.head = head; }
}
const model = {
  name: "plain", title: "Plain", description: "a GRU", places: ["hidden"], accepts: (input) => input.kind === "series",
  build({ input, outputs }, rng, change) {
    let states;
    const onStep = (h) => { states?.push(h); return change.hidden ? change.hidden(h) : h; };
    const gru = new GRU(input.features, 64, { rng: rng.stream("gru"), onStep });
    const head = new Linear(64, outputs, { rng: ${parts.head} });
    const module = new Plain(gru, head);
    const forward = (x) => ${parts.forward};
    const observe = (x) => { states = []; noGrad(() => forward(x)); return ${parts.observe}; };
    return { module: ${parts.module}, forward, observe };
  },
};`;
}
