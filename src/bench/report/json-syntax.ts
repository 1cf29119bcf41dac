/** Where a text stops being JSON. Line and column count from 1; a column is a UTF-16 code unit. */
export interface SyntaxFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;
}

const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const blank = /[ \t\n\r]*/y;

/**
 * The first place at which a text breaks the grammar of RFC 8259, or `undefined` for valid JSON. JSON.parse
 * names no position for some faults.
 */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match !== null;
  };
  const next = (): string | undefined => {
    take(blank);
    return text[at];
  };
  const open: ("{" | "[")[] = [];
  let state: "value" | "first" | "key" | "after" = "value";
  for (;;) {
    const letter = next();
    const inside = open.at(-1);
    if (state === "after" && inside === undefined) {
      return letter === undefined ? undefined : faultAt(text, at, "the end of the text");
    }
    if (state === "after") {
      if (letter === ",") {
        at++;
        state = inside === "{" ? "key" : "value";
      } else if (letter === (inside === "{" ? "}" : "]")) {
        at++;
        open.pop();
      } else {
        return faultAt(text, at, inside === "{" ? "',' or '}'" : "',' or ']'");
      }
      continue;
    }
    if (state === "first" && letter === (inside === "{" ? "}" : "]")) {
      at++;
      open.pop();
      state = "after";
      continue;
    }
    if (state === "key" || (state === "first" && inside === "{")) {
      if (!take(string)) return faultAt(text, at, "a key in double quotes");
      if (next() !== ":") return faultAt(text, at, "':' after the key");
      at++;
      state = "value";
      continue;
    }
    if (letter === "{" || letter === "[") {
      at++;
      open.push(letter);
      state = "first";
    } else if (take(string) || take(scalar)) {
      state = "after";
    } else {
      return faultAt(text, at, "a value");
    }
  }
}

function faultAt(text: string, at: number, expected: string): SyntaxFault {
  const lines = text.slice(0, at).split("\n");
  const word = /^(?:[\w.+-]+|.)/su.exec(text.slice(at, at + 40))?.[0];
  return {
    line: lines.length,
    column: lines.at(-1)!.length + 1,
    expected,
    found: word === undefined ? "the end of the text" : JSON.stringify(word),
  };
}
