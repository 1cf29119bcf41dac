import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { emptyFolder, gradstand, start, type Outcome } from "../cli/command.js";

function inspectText(text: string, words: readonly string[]): Promise<Outcome> {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "a.mjs"), text);
  return gradstand(["inspect", "a.mjs", ...words], folder);
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => stream.once("data", (text: Buffer) => resolve(text.toString().trim())));
}

test.each([
  ["an import", "for (;;);", "imported"],
  ["an await", "await new Promise((end) => setTimeout(end, 60_000));", "imported"],
  ["a function", "export default () => { for (;;); };", "recorded"],
])("%s that never ends is stopped, and it is said", async (_, text, phase) => {
  const { code, out, err } = await inspectText(text, ["--timeout", "4"]);
  expect(err).toContain(
    `E_INSPECT_FILE: a.mjs: it did not end within 4 s while it was ${phase}; --timeout SECONDS allows more`,
  );
  expect(out).toBe("");
  expect(code).toBe(2);
});

test("a file that ends the process does not end the command", async () => {
  const { code, err } = await inspectText("process.exit(0);", []);
  expect(err).toContain("E_INSPECT_FILE: a.mjs: it ended the process with code 0 while it was imported");
  expect(code).toBe(2);
});

test("Ctrl-C ends --serve also while a file is recorded that never ends", async () => {
  const folder = emptyFolder();
  const begun = path.join(folder, "begun");
  fs.writeFileSync(
    path.join(folder, "a.mjs"),
    'import fs from "node:fs"; fs.writeFileSync("begun", ""); for (;;);',
  );
  const words = ["inspect", "a.mjs", "--serve", "--timeout", "100000"];
  const { process: child, outcome } = start(words, folder);
  const url = await firstLine(child.stdout!);
  const pending = fetch(url).catch(() => "closed");
  while (!fs.existsSync(begun)) await new Promise((end) => setTimeout(end, 50));
  child.kill("SIGINT");
  expect((await outcome).code).toBe(130);
  expect(await pending).toBe("closed");
});

test("--serve shows an edited file when it is loaded again, errors in its place, and ends on Ctrl-C with 130", async () => {
  const folder = emptyFolder();
  const file = path.join(folder, "a.mjs");
  const write = (body: string): void =>
    fs.writeFileSync(file, `import { tensor } from "gradstand";\nexport default () => ${body};\n`);
  write("tensor([1, 2], { requiresGrad: true }).exp().sum()");
  const { process: child, outcome } = start(["inspect", "a.mjs", "--serve", "--timeout", "4"], folder);
  const url = await firstLine(child.stdout!);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const load = async (): Promise<[number, string]> => {
    const response = await fetch(url);
    return [response.status, await response.text()];
  };
  const [status, page] = await load();
  expect(status).toBe(200);
  expect(page).toContain('"op":"exp"');
  expect(page).toContain('"recording":{');
  write("tensor([1, 2], { requiresGrad: true }).sin().sum()");
  expect((await load())[1]).toContain('"op":"sin"');
  write("tensor(");
  const [failed, error] = await load();
  expect(failed).toBe(500);
  expect(error).toContain("E_INSPECT_FILE: a.mjs: it cannot be imported");
  write("{ for (;;); }");
  expect((await load())[1]).toContain("it did not end within 4 s");
  write("tensor([1], { requiresGrad: true }).cos()");
  expect((await load())[1]).toContain('"op":"cos"');

  const { port } = new URL(url);
  const taken = await gradstand(["inspect", "a.mjs", "--serve", "--port", port], folder);
  expect(taken.err).toContain(`--port: ${port} cannot be served: another program uses it`);
  expect(taken.code).toBe(2);

  child.kill("SIGINT");
  const { code, out } = await outcome;
  expect(code).toBe(130);
  expect(out.trim()).toBe(url);
});
