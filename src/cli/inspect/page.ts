import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../../bench/package-place.js";
import { fail } from "../../errors/index.js";
import type { InspectDocument } from "../../inspect/index.js";

/** Source files larger than this stay out of the page. */
const largestSource = 200_000;

/**
 * The page of a recorded computation: one file that works offline, with the document, the library, and the text of the user's files
 * that the document's lines are of.
 *
 * @throws E_INTERNAL when the page was not built
 */
export function inspectionPage(document: InspectDocument): string {
  const data = JSON.stringify({ document, sources: sourcesOf(document) });
  return template()
    .replace(/<title>.*?<\/title>/, () => `<title>${escaped(document.subject)}</title>`)
    .replace(
      /(<script type="application\/json" id="inspection">)(<\/script>)/,
      (_, start: string, end: string) => `${start}${data.replaceAll("<", "\\u003c")}${end}`,
    );
}

let known: string | undefined;

/** The page without a document, as the build leaves it. */
function template(): string {
  const file = path.join(packageRoot(), "dist", "inspect-page", "index.html");
  if (known === undefined && !fs.existsSync(file))
    fail("E_INTERNAL", `expected the page that the build makes in ${file}; run \`npm run build\``);
  return (known ??= fs.readFileSync(file, "utf8"));
}

/** The text of each file that a line of the document is of, where it can be read. */
function sourcesOf({ nodes }: InspectDocument): Record<string, string> {
  const files = new Set(nodes.flatMap(({ source }) => (source ? [source.file] : [])));
  return Object.fromEntries(
    [...files].flatMap((file) => {
      const text = readIfSmall(file);
      return text === undefined ? [] : [[file, text]];
    }),
  );
}

function readIfSmall(file: string): string | undefined {
  try {
    return fs.statSync(file).size <= largestSource ? fs.readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
