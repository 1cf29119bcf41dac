import type { Provenance } from "../record.js";
import type { OmittedCell, StudyRecord } from "./run-study.js";
import type { StudyPresentation } from "./study.js";

/** A finished study as its file has it. */
export interface StudyDocument
  extends Pick<StudyRecord, "title" | "question" | "grid" | "cells">, StudyPresentation {
  readonly schema: "gradstand-study";
  readonly version: 1;
  readonly study: string;
  readonly omitted: readonly OmittedCell[];
  readonly provenance: Provenance;
}

/** The document of a study: what it says first, then every cell. */
export function studyDocument(record: StudyRecord): StudyDocument {
  const { name, title, question, grid, cells, omitted, presentation, provenance } = record;
  const { findings, tables, plots } = presentation;
  return {
    schema: "gradstand-study",
    version: 1,
    study: name,
    title,
    question,
    findings,
    tables,
    plots,
    grid,
    cells,
    omitted,
    provenance,
  };
}
