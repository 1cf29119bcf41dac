import { fail } from "../../errors/index.js";
import { childPath } from "./path.js";

/** A JSON Schema (2020-12). */
export type JsonSchema = { readonly [key: string]: unknown };

/** What a value must look like: a check that names the first place that does not, and the same as a JSON Schema. */
export interface Shape {
  check(value: unknown, path: string): void;
  readonly schema: JsonSchema;
}

const specialNumbers = ["NaN", "Infinity", "-Infinity", "-0"];

/** A number; non-finite ones and −0 are written as strings. */
export const number: Shape = {
  check: (value, path) => expectThat(typeof value === "number", "a number", value, path),
  schema: { anyOf: [{ type: "number" }, { enum: specialNumbers }] },
};

/** A whole number, not negative. */
export const count: Shape = {
  check: (value, path) =>
    expectThat(Number.isSafeInteger(value) && (value as number) >= 0, "a whole number", value, path),
  schema: { type: "integer", minimum: 0 },
};

/** A significance level. */
export const level: Shape = {
  check: (value, path) =>
    expectThat(
      typeof value === "number" && value > 0 && value < 0.5,
      "a significance level above 0 and below 0.5",
      value,
      path,
    ),
  schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
};

export const boolean: Shape = {
  check: (value, path) => expectThat(typeof value === "boolean", "true or false", value, path),
  schema: { type: "boolean" },
};

export const text: Shape = {
  check: (value, path) => expectThat(typeof value === "string", "a string", value, path),
  schema: { type: "string" },
};

/** Any JSON value. */
export const anything: Shape = { check: () => undefined, schema: true as unknown as JsonSchema };

/** A seed: a whole number, or its decimal digits as a string. */
export const seed: Shape = {
  check: (value, path) =>
    expectThat(
      Number.isSafeInteger(value) || (typeof value === "string" && /^-?\d+$/.test(value)),
      "a seed (a whole number, or its digits as a string)",
      value,
      path,
    ),
  schema: { anyOf: [{ type: "integer" }, { type: "string", pattern: "^-?\\d+$" }] },
};

/** One of a few texts or numbers. */
export function oneOf(...values: readonly (string | number)[]): Shape {
  const names = values.map((value) => JSON.stringify(value)).join(" or ");
  return {
    check: (value, path) => expectThat(values.includes(value as string | number), names, value, path),
    schema: { enum: values },
  };
}

/** A value that fits one of two shapes; `expected` names both. */
export function either(first: Shape, second: Shape, expected: string): Shape {
  return {
    check: (value, path) => {
      if (![first, second].some((shape) => fits(shape, value))) expectThat(false, expected, value, path);
    },
    schema: { anyOf: [first.schema, second.schema] },
  };
}

/** null, or what a shape asks for. */
export function nullOr(shape: Shape): Shape {
  return {
    check: (value, path) => {
      if (value !== null) shape.check(value, path);
    },
    schema: { anyOf: [{ type: "null" }, shape.schema] },
  };
}

/** An array of at least `least` items. */
export function list(item: Shape, least = 0): Shape {
  return {
    check: (value, path) => {
      const expected = least > 0 ? `an array of at least ${least}` : "an array";
      expectThat(Array.isArray(value), expected, value, path);
      const items = value as readonly unknown[];
      if (items.length < least) fail("E_REPORT", `${path} should be ${expected}, found ${items.length}`);
      items.forEach((entry, at) => item.check(entry, childPath(path, at)));
    },
    schema: { type: "array", items: item.schema, ...(least > 0 ? { minItems: least } : {}) },
  };
}

/** An object with the required keys; further keys are admitted, the optional ones checked when present. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const shapes = { ...required, ...optional };
  return {
    check: (value, path) => {
      expectThat(isObject(value), "an object", value, path);
      const fields = value as Readonly<Record<string, unknown>>;
      for (const key of Object.keys(required)) {
        if (!Object.hasOwn(fields, key)) {
          fail("E_REPORT", `${childPath(path, key)} is missing; ${describePlace(path)} must have this key`);
        }
      }
      for (const [key, shape] of Object.entries(shapes)) {
        if (Object.hasOwn(fields, key)) shape.check(fields[key], childPath(path, key));
      }
    },
    schema: {
      type: "object",
      required: Object.keys(required),
      properties: Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, shape.schema])),
    },
  };
}

/** An object whose keys are free and whose values all have one shape. */
export function record(item: Shape): Shape {
  return {
    check: (value, path) => {
      expectThat(isObject(value), "an object", value, path);
      for (const [key, entry] of Object.entries(value as object)) item.check(entry, childPath(path, key));
    },
    schema: { type: "object", additionalProperties: item.schema },
  };
}

/** Whether a value is an object, neither an array nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fits(shape: Shape, value: unknown): boolean {
  try {
    shape.check(value, "");
    return true;
  } catch {
    return false;
  }
}

function expectThat(holds: boolean, expected: string, found: unknown, path: string): void {
  if (!holds) fail("E_REPORT", `${describePlace(path)} should be ${expected}, found ${describe(found)}`);
}

function describePlace(path: string): string {
  return path === "" ? "the report" : path;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return "an object";
  const shown = typeof value === "number" ? String(value) : JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}
