import fs from "node:fs";
import path from "node:path";
import { emptyFolder, gradstand, type Outcome } from "../command.js";

/** A folder with a file of this text, in which nothing is installed. */
export function folderOf(name: string, text: string): string {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Runs `gradstand gradcheck` on a file of this text, in a process of its own. */
export function gradcheck(
  name: string,
  text: string,
  words: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Outcome> {
  return gradstand(["gradcheck", name, ...words], folderOf(name, text), env);
}

/** A square whose rule lacks the factor 2, and a right one. */
export const halves = `
import { defineOp, NDArray } from "gradstand";

const op = (name, rule) => defineOp({
  name,
  forward: ([x]) => new NDArray(x.shape, x.dtype, x.data.map((v) => v * v)),
  vjp: ({ cotangent, inputs: [x] }) => [rule(cotangent, x)],
});
const wrongOp = op("wrong", (g, x) => g.scale(x));
const rightOp = op("right", (g, x) => g.scale(x.mul(2)));
export const wrong = (x) => wrongOp([x]);
wrong.signature = "(m,n)->(m,n)";
export const right = (x) => rightOp([x]);
right.signature = "(m,n)->(m,n)";
`;
