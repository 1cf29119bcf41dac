import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, parseCanonicalJson } from "../../../src/bench/cells/canonical.js";
import type { Json } from "../../../src/ideas/index.js";

const special = fc.constantFrom(
  "NaN",
  "Infinity",
  "-Infinity",
  "-0",
  "string:NaN",
  "string:string:-0",
  "string:",
);
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.string(),
    special,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
}));

test("every value comes back to the bit: NaN, infinities, −0, and strings that look like them", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(parseCanonicalJson(canonicalJson(value))).toStrictEqual(value);
    }),
  );
});

test("the order of keys does not matter", () => {
  const dictionary = fc.dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    json,
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(dictionary, (record) => {
      const reversed = Object.fromEntries(Object.entries(record).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(record));
    }),
  );
});

test("is JSON without white space, with sorted keys", () => {
  expect(canonicalJson({ b: [1, -0, NaN], a: { d: null, c: "-0" } })).toBe(
    '{"a":{"c":"string:-0","d":null},"b":[1,"-0","NaN"]}',
  );
});

test("a key without a value is left out", () => {
  expect(canonicalJson({ a: undefined as unknown as null, b: 1 })).toBe('{"b":1}');
});
