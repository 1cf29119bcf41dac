import type { Options } from "yargs";
import { suggestion } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import type { Arguments } from "../arguments.js";
import { readConfig } from "./config-file.js";
import { environmentSettings, variableOf } from "./environment.js";

/** Where a setting comes from. */
export interface SettingSource {
  readonly name: string;
  readonly value: string;
  /** `--seeds`, `GRADSTAND_SEEDS` or `gradstand.config.json`. */
  readonly from: string;
}

/** The settings of a command. */
export interface Settings {
  /** The arguments as if every setting had been given as a flag. */
  readonly args: Arguments;
  /** Every setting that was given anywhere; the others are the preset's or the default. */
  readonly sources: readonly SettingSource[];
}

/** Settings that are lists of `name=value`: each name is settled by itself. */
const named: ReadonlySet<string> = new Set(["grid", "option"]);

/**
 * The settings of a command: flags over the environment (`GRADSTAND_SEEDS`) over the file `gradstand.config.ts`, `.js` or
 * `.json` of the working folder. What none of them gives is left to the preset.
 *
 * @param options the options of the command: each is a setting
 * @throws E_USAGE for a setting that does not exist, with the nearest name and where it stands, or one that cannot be read
 */
export async function resolveSettings(
  args: Arguments,
  options: Readonly<Record<string, Options>>,
  folder = process.cwd(),
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Settings> {
  const names = Object.keys(options);
  const config = await readConfig(folder);
  const inFile = Object.fromEntries(
    Object.entries(config?.settings ?? {}).map(([name, value]) => [
      requireSetting(name, names, config!.name),
      configWords(name, value, config!.name),
    ]),
  );
  const inEnvironment = Object.fromEntries(
    Object.entries(environmentSettings(names, environment)).map(([name, value]) => [
      name,
      named.has(name) ? value.split(";").map((word) => word.trim()) : [value],
    ]),
  );
  const given = (name: string): SettingSource[] => [
    ...sourcesOf(name, flagWords(args[name]), `--${name}`),
    ...sourcesOf(name, inEnvironment[name] ?? [], variableOf(name)),
    ...sourcesOf(name, inFile[name] ?? [], config?.name ?? ""),
  ];
  const sources = names.flatMap((name) => settled(name, given(name)));
  const merged = names.flatMap((name): [string, unknown][] => {
    const own = sources.filter((source) => source.name === name);
    if (own.length === 0) return [];
    return [[name, valueOf(own, options[name])]];
  });
  return { args: { ...args, ...Object.fromEntries(merged) }, sources };
}

function requireSetting(name: string, names: readonly string[], file: string): string {
  if (!names.includes(name))
    fail("E_USAGE", `${file}: there is no setting '${name}'; ${suggestion(name, names)}`);
  return name;
}

function sourcesOf(name: string, words: readonly string[], from: string): SettingSource[] {
  return words.map((value) => ({ name, value, from }));
}

/** The sources that count: those of the first place that gives the setting, or gives this name of a list of names. */
function settled(name: string, given: readonly SettingSource[]): readonly SettingSource[] {
  const part = ({ value }: SettingSource): string => (named.has(name) ? value.split("=", 1)[0]! : "");
  return given.filter((source) => {
    const first = given.find((other) => part(other) === part(source));
    return first?.from === source.from;
  });
}

function valueOf(sources: readonly SettingSource[], option: Options | undefined): unknown {
  const words = sources.map(({ value }) => value);
  if (option?.type !== "boolean") return words.length === 1 ? words[0] : words;
  const [{ value, from }] = sources as [SettingSource];
  if (value !== "true" && value !== "false")
    fail("E_USAGE", `${from}: expected true or false, got "${value}"`);
  return value === "true";
}

function flagWords(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** A value of the file as the words of a flag. */
function configWords(name: string, value: unknown, file: string): readonly string[] {
  const isWord = (one: unknown): one is string | number | boolean =>
    ["string", "number", "boolean"].includes(typeof one);
  const words = (values: unknown): readonly string[] | undefined =>
    Array.isArray(values) && values.every(isWord) ? values.map(String) : undefined;
  if (isWord(value)) return [String(value)];
  const list = words(value);
  if (list !== undefined) return list;
  if (named.has(name) && typeof value === "object" && value !== null && !Array.isArray(value)) {
    const pairs = Object.entries(value).map(([key, one]) =>
      isWord(one) ? `${key}=${String(one)}` : words(one) && `${key}=${words(one)!.join(",")}`,
    );
    if (pairs.every((pair) => pair !== undefined)) return pairs;
  }
  return fail(
    "E_USAGE",
    `${file}: ${name}: expected a number, a text or true or false, or a list of them; found ${JSON.stringify(value)}`,
  );
}
