import { describe, expect, it } from "vitest";
import { oneOf } from "../../src/ideas/one-of.js";

describe("oneOf", () => {
  it("returns the entry, and refuses anything else by name", () => {
    expect(oneOf("some-idea", "form", "B", ["A", "B"])).toBe("B");
    for (const wrong of ["b", "", 1, undefined, ["A"]]) {
      expect(() => oneOf("some-idea", "form", wrong, ["A", "B"])).toThrow(
        `E_VALUE: some-idea: form must be one of A, B, not ${String(wrong)}`,
      );
    }
  });
});
