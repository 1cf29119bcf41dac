/** A place in the code of whoever uses the package. */
export interface SourceLine {
  /** A path, or an address where code has no path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The function that the line lies in, when it has a name. */
  readonly within: string | undefined;
}

/** Where the package's own code lies: the folder above that of this module; "" where a page holds it and it has no address. */
function ownFolder(): string {
  try {
    return new URL("..", import.meta.url).href;
  } catch {
    return "";
  }
}

/** Frames looked through: what lies between an operation and the code that asked for it. */
const depth = 60;

/** The first frame of the call stack outside the package; undefined when there is none, or the engine tells nothing. */
export function sourceLine(): SourceLine | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = depth;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return firstOutside(stack, ownFolder());
}

/** The first frame of a stack, as V8, Firefox or Safari write it, that lies outside a folder and outside the engine. */
export function firstOutside(stack: string, folder: string): SourceLine | undefined {
  const path = withoutScheme(folder);
  for (const text of stack.split("\n")) {
    const frame = /^\s*(?:at (?:async )?)?(?:(.*?)\s*[(@])?([^\s(@][^(]*?):(\d+):(\d+)\)?$/.exec(text);
    if (!frame) continue;
    const [, name, address, line, column] = frame;
    if (/^(?:node:|native|internal\/)/.test(address!)) continue;
    const file = withoutScheme(address!);
    if (file.startsWith(path)) continue;
    return {
      file,
      line: Number(line),
      column: Number(column),
      within: name && !/^(?:<anonymous>|Object\.<anonymous>|eval)$/.test(name) ? name : undefined,
    };
  }
  return undefined;
}

/** `file:///a%20b` is `/a b`; other addresses stay, but for what is asked of a server. */
function withoutScheme(address: string): string {
  const bare = address.replace(/[?#].*$/, "");
  if (!bare.startsWith("file://")) return bare;
  try {
    return decodeURIComponent(new URL(bare).pathname);
  } catch {
    return bare;
  }
}
