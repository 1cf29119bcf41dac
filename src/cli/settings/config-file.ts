import fs from "node:fs";
import path from "node:path";
import { loadModule } from "../../bench/plugins/load-module.js";
import { fail, GradstandError } from "../../errors/index.js";

/** The names under which a folder may have its settings. */
export const configNames = ["gradstand.config.ts", "gradstand.config.js", "gradstand.config.json"] as const;

/** The settings in a folder's file. */
export interface ConfigFile {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Reads the settings of a folder: what the TypeScript or JavaScript file exports as its default, or the object of the JSON
 * file. Undefined where there is no such file.
 *
 * @throws E_USAGE when there are several, and for one that cannot be read, throws, or holds no object
 */
export async function readConfig(folder: string): Promise<ConfigFile | undefined> {
  const found = configNames.filter((name) => fs.existsSync(path.join(folder, name)));
  if (found.length > 1)
    fail("E_USAGE", `there are ${found.join(" and ")}; keep one of them, the settings must have one place`);
  const name = found[0];
  if (name === undefined) return undefined;
  const settings = await contentOf(path.join(folder, name), name);
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    fail(
      "E_USAGE",
      `${name}: expected ${name.endsWith(".json") ? "an object" : "an object as the default export"}, such as { seeds: 12 }`,
    );
  return { name, settings: settings as ConfigFile["settings"] };
}

async function contentOf(file: string, name: string): Promise<unknown> {
  try {
    if (name.endsWith(".json")) return JSON.parse(fs.readFileSync(file, "utf8")) as unknown;
    return (await loadModule(path.relative("", file), "E_USAGE")).main;
  } catch (error) {
    if (error instanceof GradstandError) throw error;
    const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return fail("E_USAGE", `${name} cannot be used: ${said}`, { cause: error });
  }
}
