import { expect, test } from "vitest";
import { errorParts, GradstandError } from "../../src/errors/index.js";

test("an error of the package gives its code, and its message without it", () => {
  expect(errorParts(new GradstandError("E_SHAPE", "expected [2], got [3]"))).toEqual({
    code: "E_SHAPE",
    message: "expected [2], got [3]",
  });
});

test("anything else is E_INTERNAL with what there is to see of it", () => {
  const { code, message } = errorParts(new TypeError("no luck"));
  expect(code).toBe("E_INTERNAL");
  expect(message).toMatch(/TypeError: no luck[^]*error-parts\.test/);
  expect(errorParts(3).message).toMatch(/3/);
});
