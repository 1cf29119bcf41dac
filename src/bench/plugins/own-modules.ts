import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot, runsFromSources } from "../package-place.js";

/**
 * The package's own entries by the names by which a user's file imports them: the modules that this thread runs already, so
 * that there is one class of tensors and one graph, wherever the file lies. Names that the package does not have are left out.
 */
export async function ownModules(names: readonly string[]): Promise<Record<string, unknown>> {
  const root = packageRoot();
  const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const modules: Record<string, unknown> = {};
  for (const name of names) {
    const entry = manifest.exports[`.${name.slice("gradstand".length)}`];
    if (typeof entry !== "object") continue;
    const place = runsFromSources
      ? entry.default.replace(/^\.\/dist/, "src").replace(/\.js$/, ".ts")
      : entry.default;
    modules[name] = await import(/* @vite-ignore */ pathToFileURL(path.join(root, place)).href);
  }
  return modules;
}
