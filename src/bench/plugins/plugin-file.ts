/** A user's file as a cell names it. */
export interface PluginFile {
  /** Where it lies, relative to the working folder; no part of a cell's key. */
  readonly path: string;
  /** SHA-256 over its content and that of every file that it imports by a relative path. */
  readonly hash: string;
}

/** The name by which cells refer to an idea, track or model of a user's file: an edit makes another one. */
export function pluginId(name: string, { hash }: Pick<PluginFile, "hash">): string {
  return `${name}@${hash}`;
}

/** The name in an identifier that {@link pluginId} made; a built-in name is given back as it is. */
export function nameOfId(id: string): string {
  const at = id.lastIndexOf("@");
  return at === -1 ? id : id.slice(0, at);
}
