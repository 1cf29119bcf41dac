import path from "node:path";
import { inspectFile, loadPlugins, type LoadedFile, type Plugins } from "../bench/index.js";
import { fail } from "../errors/index.js";
import { listOf, pairsOf, positiveOf, textOf, type Arguments } from "./arguments.js";

/** Seconds that an import may take when `--timeout` is not given. */
const importTimeout = 60;

/** The files that a command line names instead of built-in ideas, tracks and models. */
export interface NamedFiles {
  /** What stands behind a word of the command line: the ideas of a file, or the word itself, as a name. */
  ideas(word: string): readonly (Plugins["ideas"][number] | string)[];
  track(word: string): Plugins["tracks"][number] | string;
  model(word: string): Plugins["models"][number] | string;
}

/** Whether a word of the command line is the path of a file rather than a name: it has a slash, or the ending of a module. */
export function isPath(word: string): boolean {
  return /[/\\]/.test(word) || /\.[cm]?[jt]s$/.test(word);
}

/** For command lines without files: every word is a name. */
export const noFiles: NamedFiles = { ideas: (word) => [word], track: (word) => word, model: (word) => word };

/**
 * Loads the files among the ideas, `--track` and `--model`; each is tried in a thread of its own first, where `--timeout` can stop it.
 *
 * @throws E_USAGE when a file does not bring what it is named for
 * @throws E_PLUGIN_FILE, E_PLUGIN, E_IDEA, E_TRACK from loading it
 */
export async function namedFiles(args: Arguments): Promise<NamedFiles> {
  const ideaWords = (args._ as unknown[]).map(String);
  const places = [
    ...ideaWords,
    ...listOf(args, "track"),
    ...listOf(args, "tracks"),
    textOf(args, "model"),
  ].filter((word) => word !== undefined && isPath(word)) as string[];
  const timeout = positiveOf(args, "timeout") ?? importTimeout;
  const loaded = new Map<string, LoadedFile>();
  for (const word of places) {
    const place = path.resolve(word);
    if (loaded.has(place)) continue;
    const asked = ideaWords.includes(word);
    await inspectFile(word, { timeout, ...(asked && { options: pairsOf(args, "option") }) });
    loaded.set(place, await loadPlugins(word));
  }
  const of = <Kind extends keyof Plugins>(kind: Kind, word: string): Plugins[Kind] | undefined => {
    if (!isPath(word)) return undefined;
    const found = loaded.get(path.resolve(word))![kind];
    if (found.length === 0)
      fail("E_USAGE", `${word}: expected a file whose default export has one of ${kind}, found none`);
    return found;
  };
  const one = <Kind extends "tracks" | "models">(
    kind: Kind,
    word: string,
  ): Plugins[Kind][number] | string => {
    const found = of(kind, word);
    if (found !== undefined && found.length > 1)
      fail("E_USAGE", `${word}: expected one of ${kind}, found ${found.map(({ name }) => name).join(", ")}`);
    return found?.[0] ?? word;
  };
  return {
    ideas: (word) => of("ideas", word) ?? [word],
    track: (word) => one("tracks", word) as Plugins["tracks"][number] | string,
    model: (word) => one("models", word) as Plugins["models"][number] | string,
  };
}
