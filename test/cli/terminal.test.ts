import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { processTerminal, type Terminal } from "../../src/cli/terminal.js";

/** A terminal of two streams, and what it wrote to them. */
function written(
  columns?: number,
  rows?: number,
): { terminal: Terminal; out: () => string; err: () => string } {
  let [out, err] = ["", ""];
  const terminal = processTerminal(false, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text), isTTY: true, columns, rows },
  });
  return { terminal, out: () => out, err: () => err };
}

/** What moves the cursor up and clears the screen from there. */
const up = (lines: number): string => `\u001b[${lines}A\u001b[0J`;

beforeEach(() => void vi.stubEnv("CI", ""));
afterEach(() => void vi.unstubAllEnvs());

test("live lines are redrawn in their own place, cut to the width, and none takes them away", () => {
  const { terminal, out, err } = written(10);
  terminal.redraw(["one", "0123456789abc"]);
  terminal.redraw(["three"]);
  terminal.redraw([]);
  terminal.redraw([]);
  expect(err()).toBe(`one\n012345678\n${up(2)}three\n${up(1)}`);
  expect(out()).toBe("");
});

test("of more live lines than the screen has room for the first ones are drawn, and no more are taken away", () => {
  const { terminal, err } = written(80, 3);
  terminal.redraw(["one", "two", "three"]);
  terminal.redraw(["four"]);
  expect(err()).toBe(`one\ntwo\n${up(2)}four\n`);
});

test("a note stands above the live lines, which are drawn again below it", () => {
  const { terminal, err } = written();
  terminal.err("first");
  terminal.redraw(["live"]);
  terminal.err("second");
  expect(err()).toBe(`first\nlive\n${up(1)}second\nlive\n`);
});

test("a screen is live, but not in CI, and a pipe is not", () => {
  expect(written().terminal.live).toBe(true);
  vi.stubEnv("CI", "true");
  expect(written().terminal.live).toBe(false);
  vi.stubEnv("CI", "");
  const pipe = { write: () => true };
  expect(processTerminal(undefined, { stdout: pipe, stderr: pipe }).live).toBe(false);
});
