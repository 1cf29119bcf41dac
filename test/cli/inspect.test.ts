import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { InspectDocument } from "../../src/inspect/index.js";
import { emptyFolder, gradstand, type Outcome } from "./command.js";
import { inProcess } from "./recording-terminal.js";

/** `gradstand inspect` of built-in models, in this process. */
const inspect = (...words: string[]): Promise<Outcome> => inProcess(["inspect", ...words]);

/** Runs the command on a file of this text in a folder where nothing is installed. */
function inspectFile(name: string, text: string, words: readonly string[] = []): Promise<Outcome> {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, name), text);
  return gradstand(["inspect", name, ...words], folder);
}

const faults = `import { concat, tensor, where, type Tensor } from "gradstand";
import { mseLoss, type Linear } from "gradstand/nn";
import { trainingStep } from "gradstand/inspect";

const at = (name: string) => trainingStep(name, { steps: 4, batch: 2 });
const [rnn, transformer] = [at("rnn_small"), at("transformer_tiny")];
const pair = (y: Tensor): Tensor => concat([y, y.mul(2)], 1);
type Head = { head: Linear };

export const log = () => rnn.model.forward(rnn.x).mul(0)
  .log().mean(); // log
export const division = () => transformer.model.forward(transformer.x)
  .div(transformer.y.sub(transformer.y)).mean(); // division
export const overflow = () => rnn.model.forward(rnn.x).add(500)
  .exp().mean(); // overflow
export const mask = () => where(tensor(true), -Infinity, pair(transformer.model.forward(transformer.x)))
  .softmax(-1).mean(); // mask
mask.module = transformer.model.module;
export const dead = () => mseLoss(rnn.model.forward(rnn.x).sub(9)
  .relu(), rnn.y); // dead
dead.module = rnn.model.module;
export function detached(): Tensor {
  const { head } = transformer.model.module as unknown as Head;
  head.forward = (v) => v.matmul(head.weight.detach(), { transposeB: true }); // detached
  return transformer.loss();
}
detached.module = transformer.model.module;
`;

describe("gradstand inspect", () => {
  test.concurrent.each([
    ["log", /^not finite: log of 0 at element \[0,0\] gives −∞/m],
    ["division", /^not finite: −?[\d.e−]+ was divided by 0 at element \[0,0\], which gives [+−]∞/m],
    ["overflow", /^not finite: exp of [\d.]+ at element \[0,0\] overflows/m],
    ["mask", /^zero gradient: .*a mask hides the whole of row \[0\] from softmax \(2 of 2 rows/m],
    ["dead", /^zero gradient: .*relu is dead: all 4 of its inputs are at most 0/m],
    [
      "detached",
      /^no gradient: the gradient of head\.weight was not computed .*matmul #\d+ .*uses a copy of head\.weight/m,
    ],
  ])("traces the planted fault %s to its operation and line", async (name, sentence) => {
    const { code, out, err } = await inspectFile("faults.ts", faults, ["--only", name, "--why"]);
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toMatch(sentence);
    const line = faults.split("\n").findIndex((text) => text.endsWith(`// ${name}`)) + 1;
    const found = out.split("\n");
    const finding = found.findIndex((text) => sentence.test(text));
    expect(found[finding + 1]).toMatch(new RegExp(`^    at .*faults\\.ts:${line}:\\d+`));
  });

  test("shows a model as a tree, its leaves and its output, time steps in a row as bars", async () => {
    const { code, out } = await inspect(
      "rnn_small",
      "--idea",
      "moment-rank2",
      "--steps",
      "12",
      "--batch",
      "2",
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^rnn_small: a training step \(dynamics, moment-rank2, 12 steps, seed 0\)$/m);
    expect(out).toMatch(/^├ RnnSmall$/m);
    expect(out).toMatch(/^│ │ ├ t = 0 … 11 \(24 operations\) [▁▂▃▄▅▆▇█]{12} +\[2,64\]/m);
    expect(out).toMatch(/^│ {3}└ affine #\d+ ← #\d+, weight, bias +\[2,2\] .*‖[\d.]+‖$/m);
    expect(out).toMatch(/^gru\.weight_ih_l0 +\[192,2\] .*‖[\d.]+‖$/m);
    expect(out).toMatch(/^output: squaredError #\d+ [\d.]+$/m);
    expect(out).not.toContain("not finite");
  });

  test("--json prints the document on one line; --unfused shows the steps of a GRU", async () => {
    const { out } = await inspect("rnn_small", "--steps", "2", "--batch", "1", "--unfused", "--json");
    expect(out.trimEnd()).not.toContain("\n");
    const document = JSON.parse(out) as InspectDocument;
    expect(document).toMatchObject({ schemaVersion: 1, kind: "gradstand inspection", unfused: true });
    expect(document.nodes.filter(({ op }) => op === "tanh").map(({ time }) => time)).toEqual([0, 1]);
  });

  test("the documents of both built-in cases stay small", async () => {
    for (const words of [["rnn_small", "--idea", "moment-rank2", "--steps", "32"], ["transformer_tiny"]]) {
      const { out } = await inspect(...words, "--json");
      expect(out.length).toBeLessThan(300_000);
    }
  });

  test("--dot, --mermaid and --svg draw it; --out writes a file", async () => {
    const of = (form: string): Promise<Outcome> => inspect("rnn_small", "--steps", "2", "--batch", "1", form);
    expect((await of("--dot")).out).toMatch(
      /^digraph computation \{[\s\S]*subgraph cluster_0[\s\S]*n\d+ -> n\d+;\n\}\s*$/,
    );
    expect((await of("--mermaid")).out).toMatch(/^flowchart TB\n[\s\S]* --> /);
    const file = path.join(emptyFolder(), "drawing.svg");
    const { out, err } = await inspect("rnn_small", "--steps", "2", "--batch", "1", "--svg", "--out", file);
    expect([out, err]).toEqual(["", `written: ${file}`]);
    expect(fs.readFileSync(file, "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  test("--html writes one page that asks for nothing, with the document and the lines of the file in it", async () => {
    const folder = emptyFolder();
    const text = `import { tensor } from "gradstand";\nexport const loss = (x) => x.log().sum(); // </script>\nloss.inputs = [tensor([1, 2])];\n`;
    const file = path.join(folder, "a-loss.ts");
    fs.writeFileSync(file, text);
    const target = path.join(folder, "page.html");
    const { code, out, err } = await inspect(file, "--html", "--out", target);
    expect([code, out, err]).toEqual([0, "", `written: ${target}`]);
    const html = fs.readFileSync(target, "utf8");
    expect(html).toContain("<title>a-loss.ts: loss</title>");
    expect(html).not.toMatch(/\b(?:src|href)="(?!data:)/);
    const [, data] = /<script type="application\/json" id="inspection">(.*?)<\/script>/s.exec(html)!;
    const { document, sources } = JSON.parse(data!) as {
      document: InspectDocument;
      sources: Record<string, string>;
    };
    expect(document.nodes.map(({ op }) => op)).toEqual([undefined, "log", "sum", "reshape"]);
    expect(sources).toEqual({ [file]: text });
  });

  test("--why says so when there is nothing to explain, and prints findings with --json", async () => {
    const words = ["transformer_tiny", "--steps", "4", "--batch", "2", "--why"];
    expect((await inspect(...words)).out).toContain("nothing to explain: all is finite");
    expect(JSON.parse((await inspect(...words, "--json")).out)).toMatchObject({
      schemaVersion: 1,
      command: "inspect",
      findings: [],
    });
  });

  test.each<[string[], RegExp]>([
    [[], /inspect: expected one model or file, got none; models: rnn_small, transformer_tiny/],
    [["rnn_smal"], /no model is called 'rnn_smal'; did you mean 'rnn_small'.*or name a file/],
    [
      ["rnn_small", "--steps", "99"],
      /E_TRACK: expected 1 to 32 steps, which the series of dynamics have, got 99/,
    ],
    [["rnn_small", "--idea", "residual-pivoted"], /E_IDEA: .*attention/],
    [["rnn_small", "--svg", "--dot"], /expected one of --dot, --svg/],
    [["rnn_small", "--only", "x"], /--only: a built-in model has one training step/],
    [["rnn_small", "--wy"], /there is no option --wy; did you mean '?--why/],
    [["./nowhere.ts"], /E_INSPECT_FILE: .*nowhere\.ts: there is no such file/],
    [["./a.ts", "--idea", "moment-rank2"], /--idea: it belongs to a built-in model, and \.\/a\.ts is a file/],
  ])("refuses %j with exit 2", async (words, message) => {
    const { code, err } = await inspect(...words);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  test.each<[string, string, string[], RegExp]>([
    [
      "nothing of use",
      "export const a = 1;",
      [],
      /E_INSPECT_FILE: .*expected it to export a function without parameters.*exports a/,
    ],
    [
      "several",
      "export const a = () => 1; export const b = () => 2;",
      [],
      /E_USAGE: .*several things to inspect: a, b; choose one with --only/,
    ],
    ["a wrong name", "export const aa = () => 1;", ["--only", "ab"], /nothing called 'ab' to inspect; .*aa/],
    ["a syntax error", "export const a = ;", [], /E_INSPECT_FILE: .*cannot be imported \(line 1\)/],
    [
      "no tensor",
      "export default () => 3;",
      [],
      /E_VALUE: inspect: expected the function to return a tensor, got/,
    ],
  ])("refuses a file with %s", async (_, text, words, message) => {
    const file = path.join(emptyFolder(), "a.mjs");
    fs.writeFileSync(file, text);
    const { code, err } = await inspect(file, ...words);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});
