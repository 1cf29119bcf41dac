/** What a new file is made for. */
export interface TemplateNames {
  /** As in `bench list`: `my-idea`. */
  readonly name: string;
  /** The ending of the modules, `ts` or `js`. */
  readonly ending: "ts" | "js";
}

/** Files by their names. */
export type Files = Readonly<Record<string, string>>;

/** A type annotation in TypeScript, nothing in JavaScript. */
export function annotation({ ending }: TemplateNames, type: string): string {
  return ending === "ts" ? `: ${type}` : "";
}

/** The import of a type in TypeScript, nothing in JavaScript. */
export function typeImport({ ending }: TemplateNames, types: string, from: string): string {
  return ending === "ts" ? `import type { ${types} } from "${from}";\n` : "";
}
