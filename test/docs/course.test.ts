import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as gru from "../../examples/gru-dynamics.js";
import * as recall from "../../examples/transformer-recall.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}docs/course/`;
const pages = fs.readdirSync(folder).sort();

/** What a page shows of a program: the command after "$ ", and indented lines that it prints, to the next command (here, or for the reader). */
function shown(text: string): { command: string; lines: string[] }[] {
  const programs: { command: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("    $ ")) programs.push({ command: line.slice(6), lines: [] });
    else if (line.startsWith("    npx ")) programs.push({ command: line.trim(), lines: [] });
    else if (line.startsWith("    ") && programs.length > 0)
      programs.at(-1)!.lines.push(line.slice(4).trim());
  }
  return programs;
}

/** Of the two that train for seconds a page shows the floors alone, which need no training. */
const printed = new Map<string, string[]>([
  ["examples/gru-dynamics.js", gru.floorLines(gru.programData())],
  ["examples/transformer-recall.js", recall.floorLines(recall.programData())],
]);

function outputOf(file: string): string[] {
  if (!printed.has(file)) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd: root, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    printed.set(
      file,
      stdout.split("\n").map((line) => line.trim()),
    );
  }
  return printed.get(file)!;
}

describe.each(pages)("course page %s", (page) => {
  const text = fs.readFileSync(folder + page, "utf8");

  test("shows what its examples print", () => {
    for (const { command, lines } of shown(text)) {
      const [, file] = /^node (examples\/[a-z-]+\.js)$/.exec(command) ?? [];
      if (file === undefined) continue;
      expect(lines.length, command).toBeGreaterThan(0);
      const output = outputOf(file);
      for (const line of lines) expect(output, `${page}: ${command}`).toContain(line);
    }
  });

  test("links to what exists", () => {
    for (const [, link] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g))
      if (!link!.startsWith("http")) expect(fs.existsSync(folder + link!), link).toBe(true);
  });
});

test("the course shows every example", () => {
  const all = pages.map((page) => fs.readFileSync(folder + page, "utf8")).join("\n");
  for (const file of fs.readdirSync(`${root}examples`).filter((name) => name.endsWith(".js")))
    expect(all, file).toContain(`examples/${file}`);
});
