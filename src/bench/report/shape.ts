import { fail } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import { childPath } from "./path.js";
import { readSpecialNumber, readSpecialNumbers } from "./special-numbers.js";

/** A JSON Schema (2020-12). */
export type JsonSchema = boolean | { readonly [key: string]: unknown };

/** What a value must look like, and the same as a JSON Schema. */
export interface Shape {
  /**
   * The value with the numbers that JSON cannot hold in place of their names. E_REPORT names the first wrong
   * place.
   */
  read(value: Json, path: string): Json;
  readonly schema: JsonSchema;
}

/** What the schemas of shapes refer to. */
export const schemaDefinitions = {
  number: { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity", "-0"] }] },
} as const;

/** A number; non-finite ones and −0 are written as strings. */
export const number: Shape = {
  read: (value, path) => {
    const read = readSpecialNumber(value);
    return typeof read === "number" ? read : wrong("a number", value, path);
  },
  schema: { $ref: "#/$defs/number" },
};

/** A whole number, not negative. */
export const count = scalar("a whole number", { type: "integer", minimum: 0 }, (value) => {
  return Number.isSafeInteger(value) && (value as number) >= 0;
});

/** A probability; NaN where there is none. */
export const probability: Shape = {
  read: (value, path) => {
    const read = readSpecialNumber(value);
    return typeof read === "number" && !(read < 0 || read > 1)
      ? read
      : wrong("a probability from 0 to 1", value, path);
  },
  schema: { anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { enum: ["NaN", "-0"] }] },
};

/** A whole number of at least 1. */
export const positive = scalar("a whole number of at least 1", { type: "integer", minimum: 1 }, (value) => {
  return Number.isSafeInteger(value) && (value as number) >= 1;
});

/** A significance level. */
export const level = scalar(
  "a significance level above 0 and below 0.5",
  { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
  (value) => typeof value === "number" && value > 0 && value < 0.5,
);

/** A learning rate. */
export const rate = scalar(
  "a learning rate above 0",
  { type: "number", exclusiveMinimum: 0 },
  (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
);

export const boolean = scalar("true or false", { type: "boolean" }, (value) => typeof value === "boolean");

export const text = scalar("a string", { type: "string" }, (value) => typeof value === "string");

/** Any JSON value. */
export const anything: Shape = { read: readSpecialNumbers, schema: true };

/** The name of an arm. */
export const armName = scalar(
  "baseline, idea, or control: and its name",
  { type: "string", pattern: "^(baseline|idea|control:.+)$" },
  (value) => typeof value === "string" && /^(baseline|idea|control:.+)$/.test(value),
);

/** A seed: a whole number, or its decimal digits as a string. */
export const seed = scalar(
  "a seed (a whole number, or its digits as a string)",
  { anyOf: [{ type: "integer" }, { type: "string", pattern: "^-?\\d+$" }] },
  (value) => Number.isSafeInteger(value) || (typeof value === "string" && /^-?\d+$/.test(value)),
);

/** One of a few texts or numbers. */
export function oneOf(...values: readonly (string | number)[]): Shape {
  const names = values.map((value) => JSON.stringify(value)).join(" or ");
  return scalar(names, { enum: values }, (value) => values.includes(value as string | number));
}

/** A value that fits one of two shapes, the first of them if both; `expected` names them. */
export function either(first: Shape, second: Shape, expected: string): Shape {
  return {
    read: (value, path) => {
      const shape = [first, second].find((one) => fits(one, value));
      return shape ? shape.read(value, path) : wrong(expected, value, path);
    },
    schema: { anyOf: [first.schema, second.schema] },
  };
}

/** null, or what a shape asks for. */
export function nullOr(shape: Shape): Shape {
  return {
    read: (value, path) => (value === null ? value : shape.read(value, path)),
    schema: { anyOf: [{ type: "null" }, shape.schema] },
  };
}

/** An array of at least `least` items. */
export function list(item: Shape, least = 0): Shape {
  const expected = least > 0 ? `an array of at least ${least}` : "an array";
  return {
    read: (value, path) => {
      if (!Array.isArray(value) || value.length < least) return wrong(expected, value, path);
      return value.map((entry: Json, at) => item.read(entry, childPath(path, at)));
    },
    schema: { type: "array", items: item.schema, ...(least > 0 ? { minItems: least } : {}) },
  };
}

/** Two numbers, the lower end and the upper end. */
export const interval: Shape = {
  read: (value, path) => {
    if (!Array.isArray(value) || value.length !== 2) return wrong("an array of two numbers", value, path);
    return value.map((end: Json, at) => number.read(end, childPath(path, at)));
  },
  schema: { type: "array", items: number.schema, minItems: 2, maxItems: 2 },
};

/** An object with the required keys; further keys are admitted, the optional ones read when present. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const shapes = { ...required, ...optional };
  const shapeOf = (key: string): Shape => (Object.hasOwn(shapes, key) ? shapes[key] : anything);
  return {
    read: (value, path) => {
      if (!isObject(value)) return wrong("an object", value, path);
      const missing = Object.keys(required).find((key) => !Object.hasOwn(value, key));
      if (missing !== undefined) {
        fail("E_REPORT", `${childPath(path, missing)} is missing; ${placeName(path)} must have this key`);
      }
      return mapValues(value, (key, entry) => shapeOf(key).read(entry, childPath(path, key)));
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
    read: (value, path) => {
      if (!isObject(value)) return wrong("an object", value, path);
      return mapValues(value, (key, entry) => item.read(entry, childPath(path, key)));
    },
    schema: { type: "object", additionalProperties: item.schema },
  };
}

/** Whether a value is an object, neither an array nor null. */
export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function scalar(expected: string, schema: JsonSchema, holds: (value: Json) => boolean): Shape {
  return { read: (value, path) => (holds(value) ? value : wrong(expected, value, path)), schema };
}

function mapValues(fields: { readonly [key: string]: Json }, read: (key: string, value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, read(key, value)]));
}

function fits(shape: Shape, value: Json): boolean {
  try {
    shape.read(value, "");
    return true;
  } catch {
    return false;
  }
}

function wrong(expected: string, found: Json, path: string): never {
  fail("E_REPORT", `${placeName(path)} should be ${expected}, found ${foundName(found)}`);
}

function placeName(path: string): string {
  return path === "" ? "the report" : path;
}

function foundName(value: Json): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return "an object";
  const shown = JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}
