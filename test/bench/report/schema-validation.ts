type Schema = boolean | { readonly [keyword: string]: unknown };

const types: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/**
 * Whether a JSON value is valid under a schema. Knows the keywords of JSON Schema 2020-12 that the schemas
 * use; another one is an error. References lead into the definitions of the outermost schema.
 */
export function isValid(schema: Schema, value: unknown, outermost: Schema = schema): boolean {
  if (typeof schema === "boolean") return schema;
  const valid = (inner: unknown, item: unknown): boolean => isValid(inner as Schema, item, outermost);
  const fields = types.object(value) ? Object.entries(value as object) : [];
  const listed = Object.keys((schema.properties ?? {}) as object);
  const keywords: Record<string, (argument: never) => boolean> = {
    $schema: () => true,
    $defs: () => true,
    title: () => true,
    description: () => true,
    $ref: (reference: string) => {
      const { $defs } = outermost as { $defs: Record<string, Schema> };
      return valid($defs[reference.replace("#/$defs/", "")], value);
    },
    type: (type: string) => types[type](value),
    enum: (allowed: unknown[]) => allowed.includes(value),
    anyOf: (schemas: Schema[]) => schemas.some((one) => valid(one, value)),
    minimum: (least: number) => typeof value !== "number" || value >= least,
    maximum: (most: number) => typeof value !== "number" || value <= most,
    exclusiveMinimum: (least: number) => typeof value !== "number" || value > least,
    exclusiveMaximum: (most: number) => typeof value !== "number" || value < most,
    pattern: (source: string) => typeof value !== "string" || new RegExp(source, "u").test(value),
    minItems: (least: number) => !Array.isArray(value) || value.length >= least,
    maxItems: (most: number) => !Array.isArray(value) || value.length <= most,
    items: (item: Schema) => !Array.isArray(value) || value.every((entry) => valid(item, entry)),
    required: (keys: string[]) =>
      !types.object(value) || keys.every((key) => Object.hasOwn(value as object, key)),
    properties: (schemas: Record<string, Schema>) =>
      fields.every(([key, item]) => !Object.hasOwn(schemas, key) || valid(schemas[key], item)),
    additionalProperties: (other: Schema) =>
      fields.every(([key, item]) => listed.includes(key) || valid(other, item)),
  };
  return Object.entries(schema).every(([keyword, argument]) => keywords[keyword](argument as never));
}
