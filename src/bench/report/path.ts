import type { Json } from "../../ideas/index.js";

/**
 * A place in a document, such as `bench_report.baseline.full.per_seed[6]`. Keys with other letters are
 * quoted.
 */
export function childPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The keys and positions of a path written by {@link childPath}. */
export function pathSteps(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const [, position, quoted, key] of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)) {
    if (position !== undefined) steps.push(Number(position));
    else steps.push(quoted !== undefined ? (JSON.parse(quoted) as string) : key!);
  }
  return steps;
}

/** The value at a path; `undefined` when there is none. */
export function valueAt(document: unknown, path: string): Json | undefined {
  let node: unknown = document;
  for (const step of pathSteps(path)) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return undefined;
    node = (node as Record<string | number, unknown>)[step];
  }
  return node as Json | undefined;
}

/** A copy of a document with another value at a path that exists; what lies beside the path is shared. */
export function withValueAt<Document>(document: Document, path: string, value: Json): Document {
  const replace = (node: unknown, steps: readonly (string | number)[]): unknown => {
    const [step, ...rest] = steps;
    if (step === undefined) return value;
    const copy = (Array.isArray(node) ? [...node] : { ...(node as object) }) as Record<
      string | number,
      unknown
    >;
    copy[step] = replace(copy[step], rest);
    return copy;
  };
  return replace(document, pathSteps(path)) as Document;
}

/**
 * Every number, string, boolean and null of a document with its path; an empty array or object counts as one.
 */
export function leavesOf(document: unknown, path = ""): [path: string, value: Json][] {
  if (typeof document !== "object" || document === null) return [[path, document as Json]];
  const entries: [string | number, unknown][] = Array.isArray(document)
    ? document.map((item, at) => [at, item])
    : Object.entries(document);
  if (entries.length === 0) return [[path, document as Json]];
  return entries.flatMap(([key, child]) => leavesOf(child, childPath(path, key)));
}
