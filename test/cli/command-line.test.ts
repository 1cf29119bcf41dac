import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inProcess } from "./recording-terminal.js";

beforeEach(() => void vi.stubEnv("GITHUB_ACTIONS", undefined));
afterEach(() => void vi.unstubAllEnvs());

test("an error is one line, and a second one names the command that explains it", async () => {
  const { code, out, err } = await inProcess(["bench", "list", "extra"]);
  expect(err).toBe(
    "E_USAGE: bench list: expected nothing after it, got extra\ngradstand explain E_USAGE says more",
  );
  expect(out).toBe("");
  expect(code).toBe(2);
});

test("in GitHub Actions an error is also an annotation, on one line and escaped", async () => {
  vi.stubEnv("GITHUB_ACTIONS", "true");
  const { err } = await inProcess(["bench", "list", "100%\r\nmore"]);
  expect(err.split("\n").at(-1)).toBe(
    "::error::E_USAGE: bench list: expected nothing after it, got 100%25%0D%0Amore",
  );
  vi.stubEnv("GITHUB_ACTIONS", "false");
  expect((await inProcess(["bench", "list", "extra"])).err).not.toContain("::error::");
});

test("colour flags that say the same are not taken for a command", async () => {
  expect((await inProcess(["--color", "bench", "list"])).code).toBe(0);
  expect((await inProcess(["bench", "list", "--json=true"])).out).toMatch(/^\{/);
  expect((await inProcess(["bench", "list", "--json=false"])).out).toMatch(/^Ideas/);
});
