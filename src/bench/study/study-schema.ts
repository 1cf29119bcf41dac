import {
  anything,
  boolean,
  either,
  interval,
  list,
  number,
  object,
  oneOf,
  record,
  schemaDefinitions,
  text,
  type JsonSchema,
} from "../report/shape.js";

const value = either(number, text, "a number or a string");
const point = record(value);
const axis = object({ title: text }, { logarithmic: boolean });

/** What a study's file must look like. */
const studyShape = object({
  schema: oneOf("gradstand-study"),
  version: oneOf(1),
  study: text,
  title: text,
  question: text,
  findings: list(text),
  tables: list(object({ title: text, columns: list(text, 1), rows: list(list(value, 1)) })),
  plots: list(
    object({
      id: text,
      title: text,
      description: text,
      x: axis,
      y: axis,
      series: list(object({ name: text, points: list(interval) })),
    }),
  ),
  grid: record(list(value, 1)),
  cells: list(object({ key: text, point, figures: record(anything), seconds: number })),
  omitted: list(object({ point, why: text })),
  provenance: record(anything),
});

/** The JSON Schema (2020-12) of `study.json`. The file in `schema/` is this, for programs that do not load this package. */
export function studySchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "study, version 1",
    ...(studyShape.schema as object),
    $defs: schemaDefinitions,
  };
}
