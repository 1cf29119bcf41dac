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
