import type { Idea, IdeaOptions } from "../../ideas/index.js";
import type { ModelDefinition } from "../models/model.js";
import type { Track } from "../tracks/track.js";
import type { IdeaReference } from "../cells/spec.js";
import { pluginId, type PluginFile } from "./plugin-file.js";

/** What a user's file brings. */
export interface Plugins {
  readonly ideas: readonly Idea[];
  readonly tracks: readonly Track[];
  readonly models: readonly ModelDefinition[];
}

/** A file that was loaded, with what it brings. */
export interface LoadedFile extends Plugins {
  readonly file: PluginFile;
}

/** The plug-ins of this thread: each thread loads the files that its tasks name. */
const known = {
  ideas: new Map<string, Idea>(),
  tracks: new Map<string, Track>(),
  models: new Map<string, ModelDefinition>(),
};
const files = new Map<string, PluginFile>();
const origins = new WeakMap<object, PluginFile>();

/** Makes what a file brings known to the cells of this thread. */
export function register(loaded: LoadedFile): void {
  files.set(loaded.file.hash, loaded.file);
  for (const kind of ["ideas", "tracks", "models"] as const) {
    for (const plugin of loaded[kind]) {
      known[kind].set(pluginId(plugin.name, loaded.file), plugin as never);
      origins.set(plugin, loaded.file);
    }
  }
}

/** The file that an idea, track or model was loaded from in this thread; undefined for any other. */
export function fileOf(plugin: object): PluginFile | undefined {
  return origins.get(plugin);
}

/** What names a plug-in on a command line: the path of its file, or its name where it is built in. */
export function wordFor(plugin: { readonly name: string }): string {
  const file = fileOf(plugin);
  if (file === undefined) return plugin.name;
  const place = file.path.replaceAll("\\", "/");
  return /^(\.{0,2}|[A-Za-z]:)\//.test(place) ? place : `./${place}`;
}

/** The file that an identifier refers to, once it was loaded in this thread; undefined for a built-in name. */
export function fileOfId(id: string): PluginFile | undefined {
  return files.get(id.slice(id.lastIndexOf("@") + 1));
}

/** The name of a built-in or the identifier of a plug-in, as cells name it. */
export function idOf(plugin: { readonly name: string }): string {
  const file = fileOf(plugin);
  return file === undefined ? plugin.name : pluginId(plugin.name, file);
}

/** An idea as cells name it. */
export function referenceOf(idea: Idea, options: IdeaOptions): IdeaReference {
  const file = fileOf(idea);
  return file === undefined ? { name: idea.name, options } : { name: idea.name, options, file };
}

/** An idea by its identifier; undefined when this thread did not load it. So is the result of the next two. */
export const pluginIdea = (id: string): Idea | undefined => known.ideas.get(id);
export const pluginTrack = (id: string): Track | undefined => known.tracks.get(id);
export const pluginModel = (id: string): ModelDefinition | undefined => known.models.get(id);

/** Whether a file of this content was loaded in this thread. */
export const isLoaded = ({ hash }: PluginFile): boolean => files.has(hash);

/** What this thread loaded, by name; of a name that several files have, the one of `file`, else the last one loaded. */
export function loadedByName(file?: PluginFile): {
  readonly tracks: ReadonlyMap<string, Track>;
  readonly models: ReadonlyMap<string, ModelDefinition>;
} {
  const byName = <Plugin extends { readonly name: string }>(plugins: ReadonlyMap<string, Plugin>) => {
    const others = [...plugins.values()].filter((plugin) => fileOf(plugin)?.hash !== file?.hash);
    const own = [...plugins.values()].filter((plugin) => fileOf(plugin)?.hash === file?.hash);
    return new Map([...others, ...own].map((plugin) => [plugin.name, plugin]));
  };
  return { tracks: byName(known.tracks), models: byName(known.models) };
}
