import { describe, expect, test } from "vitest";
import cases from "../autograd/fixtures/cases.json" with { type: "json" };
import { kinds } from "./kinds.js";
import { everywhere, runAt } from "./place.js";

test("every case has a kind, and every kind a case", () => {
  expect(Object.keys(kinds).sort()).toEqual(cases.map(({ id }) => id).sort());
});

describe.each(Object.entries(kinds))("%s", (_, { kind, subjects, places = everywhere }) => {
  describe(kind, () => {
    test.each(Object.entries(subjects))("%s", (_, subject) => {
      for (const place of places) runAt(place, subject);
    });
  });
});
