/**
 * Builds the page of `gradstand inspect --html` from `src/inspect-page`: one file that asks for nothing from anywhere, with the library
 * inside, into `dist/inspect-page/index.html`. The command puts a document into it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const { output } = await build({
  root: join(root, "src/inspect-page"),
  configFile: false,
  logLevel: "error",
  build: { write: false, target: "es2023", modulePreload: false, cssCodeSplit: false },
});

const textOf = (/** @type {string} */ ending) => {
  const found = output.filter(({ fileName }) => fileName.endsWith(ending));
  if (found.length !== 1)
    throw new Error(`expected one ${ending} in the build of the page, got ${found.length}`);
  return String(found[0].type === "chunk" ? found[0].code : found[0].source);
};

/** Code inside a page must not look as if it ended there. */
const script = textOf(".js").replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
const page = textOf(".html")
  .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n<style>${textOf(".css").trim()}</style>`)
  .replace(/\s*<script type="module"[^>]*><\/script>/, "")
  .replace("</body>", () => `<script type="module">${script.trim()}</script>\n</body>`);

const beyond = /\b(?:src|href)="(?!data:)[^"]*"/.exec(page.replace(script.trim(), ""));
if (beyond) throw new Error(`the page would ask for ${beyond[0]}`);

const folder = join(root, "dist/inspect-page");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "index.html"), page);
