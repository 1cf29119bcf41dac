import { object, schemaDefinitions, type JsonSchema, type Shape } from "./shape.js";
import { benchShapeV1, statementFields } from "./shapes.js";
import { benchShapeV2 } from "./shapes-v2.js";

/**
 * The JSON Schema (2020-12) of a report file of a schema version: a whole document or a bare bench report.
 * The files of `schema/` are these, written out for programs that do not load this package.
 */
export function reportSchema(version: 1 | 2): JsonSchema {
  const bench = version === 1 ? benchShapeV1 : benchShapeV2;
  const inner: Shape = { read: bench.read, schema: { $ref: "#/$defs/bench_report" } };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `bench report, version ${version}`,
    description: "A whole document with its bench_report, or a bare bench report.",
    anyOf: [object({ ...statementFields, bench_report: inner }).schema, inner.schema],
    $defs: { ...schemaDefinitions, bench_report: bench.schema },
  };
}
