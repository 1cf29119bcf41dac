import { fail } from "../../errors/index.js";

const read = new Map<string, string>();

/**
 * The text of a file of the package's folder `data`, read once. Only Node has it: this module runs in a browser too, where there
 * is no such file.
 *
 * @param sha256 of its content: results depend on it, and through it the fingerprint of the code does
 * @throws E_INTERNAL when there is no file of this name, or it has another content
 */
export function dataFile(name: string, sha256: string): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  const content = contentOf(name);
  if (content === undefined)
    return fail(
      "E_INTERNAL",
      `expected data/${name} in the package's folder; the track needs Node, and the package as published`,
    );
  const found = builtin("node:crypto")!.createHash("sha256").update(content).digest("hex");
  if (found !== sha256)
    fail(
      "E_INTERNAL",
      `data/${name} was altered: its SHA-256 is ${found}, and must be ${sha256}; install the package again`,
    );
  const text = new TextDecoder().decode(content);
  read.set(name, text);
  return text;
}

/** What is needed of Node. */
interface NodeModules {
  readonly "node:fs": {
    existsSync(file: URL): boolean;
    readFileSync(file: URL): Uint8Array;
  };
  readonly "node:crypto": {
    createHash(name: string): { update(content: Uint8Array): { digest(form: "hex"): string } };
  };
}

/** A module of Node where there is one, without an import that a browser would stumble over. */
function builtin<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  const node = (globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }).process;
  return node?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}

/** The file in the nearest folder `data` above this module, bundled or not. */
function contentOf(name: string): Uint8Array | undefined {
  const fs = builtin("node:fs");
  if (!fs) return undefined;
  for (let folder = new URL(".", import.meta.url); ;) {
    const file = new URL(`data/${name}`, folder);
    if (fs.existsSync(file)) return fs.readFileSync(file);
    const above = new URL("..", folder);
    if (above.href === folder.href) return undefined;
    folder = above;
  }
}
