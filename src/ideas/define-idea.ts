import { fail, kindOfGiven } from "../errors/index.js";
import type { Idea, IdeaOptions } from "./idea.js";
import { summarizeClaims } from "./summarize-claims.js";

/** An idea as it is written down: its functions know the types of its own options, and `summarize` may be left out. */
export interface IdeaDefinition<Options extends IdeaOptions> extends Omit<
  Idea,
  "options" | "change" | "checks" | "measure" | "summarize"
> {
  readonly options: Options;
  change(options: Options, ...rest: Tail<Parameters<Idea["change"]>>): ReturnType<Idea["change"]>;
  checks(options: Options, ...rest: Tail<Parameters<Idea["checks"]>>): ReturnType<Idea["checks"]>;
  measure(
    trained: Parameters<Idea["measure"]>[0],
    options: Options,
    rng: Parameters<Idea["measure"]>[2],
  ): ReturnType<Idea["measure"]>;
  /** {@link summarizeClaims} when it is left out. */
  readonly summarize?: Idea["summarize"];
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

const words = ["name", "title", "summary", "source", "track", "model"] as const;
const functions = ["change", "checks", "measure"] as const;
const known = new Set<string>([...words, ...functions, "options", "controls", "summarize"]);

/**
 * An idea, with its shape checked at once and types of its options in its functions.
 *
 * @throws E_IDEA naming everything that is missing, of another kind, or mistyped
 */
export function defineIdea<Options extends IdeaOptions>(definition: IdeaDefinition<Options>): Idea {
  const faults = ideaFaults(definition);
  if (faults.length > 0)
    fail("E_IDEA", `the idea ${nameIn(definition)} is not well formed: ${faults.join("; ")}`);
  return { ...definition, summarize: definition.summarize ?? summarizeClaims } as Idea;
}

/** What keeps a value from being an idea, each as "change: expected a function, got undefined"; empty when nothing does. */
export function ideaFaults(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`expected an object, got ${kindOfGiven(value)}`];
  const given = value as Readonly<Record<string, unknown>>;
  const expected = (name: string, what: string): string =>
    `${name}: expected ${what}, got ${kindOfGiven(given[name])}`;
  const { options, controls, summarize } = given;
  return [
    ...words
      .filter((word) => typeof given[word] !== "string" || given[word] === "")
      .map((word) => expected(word, "a text")),
    ...(typeof given.name === "string" && /[\s@/\\]/.test(given.name)
      ? [`name: expected a word without spaces, slashes and @, got "${given.name}"`]
      : []),
    ...(typeof options !== "object" || options === null || Array.isArray(options)
      ? [expected("options", "an object of defaults ({} when there are none)")]
      : optionFaults(options)),
    ...functions
      .filter((name) => typeof given[name] !== "function")
      .map((name) => expected(name, "a function")),
    ...(summarize === undefined || typeof summarize === "function"
      ? []
      : [expected("summarize", "a function or nothing")]),
    ...(controls === undefined
      ? []
      : Array.isArray(controls)
        ? controlFaults(controls)
        : [expected("controls", "a list or nothing")]),
    ...Object.keys(given)
      .filter((name) => !known.has(name))
      .map((name) => `${name}: an idea has no such part; it has ${[...known].join(", ")}`),
  ];
}

/** Controls that lack a part, and names that come twice. */
function controlFaults(controls: readonly unknown[]): string[] {
  const names = controls.map((control) => (control as { readonly name?: unknown } | null)?.name);
  return controls.flatMap((control, i) => {
    const given = (control ?? {}) as Readonly<Record<string, unknown>>;
    const expected = (part: string, what: string): string =>
      `controls[${i}].${part}: expected ${what}, got ${kindOfGiven(given[part])}`;
    return [
      ...["name", "title", "statement", "why"]
        .filter((part) => typeof given[part] !== "string" || given[part] === "")
        .map((part) => expected(part, "a text")),
      ...(typeof given.change === "function" ? [] : [expected("change", "a function")]),
      ...(given.kind === undefined || ["trained", "evaluated", "baseline"].includes(given.kind as string)
        ? []
        : [expected("kind", '"trained", "evaluated" or "baseline"')]),
      ...(names.indexOf(given.name) < i ? [`controls[${i}].name: ${String(given.name)} comes twice`] : []),
    ];
  });
}

/** Defaults that are no finite number, text or truth value. */
function optionFaults(options: object): string[] {
  return Object.entries(options)
    .filter(
      ([, value]) => !(typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)),
    )
    .map(
      ([name, value]) =>
        `options.${name}: expected a finite number, a text, true or false, got ${kindOfGiven(value)}`,
    );
}

function nameIn(value: unknown): string {
  const name = (value as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === "string" && name !== "" ? name : "without a name";
}
