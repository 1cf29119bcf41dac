import { GradstandError } from "../../errors/index.js";

const style = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 4rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
pre { font: 14px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid; border-radius: 6px; }`;

/** What went wrong, as a page; reloading it tries again. */
export function errorPage(error: unknown): string {
  const message =
    error instanceof GradstandError ? error.message : error instanceof Error ? error.stack : String(error);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>gradstand inspect: error</title><style>${style}</style></head>
<body><main>
<h1>Nothing was recorded</h1>
<pre role="alert">${escaped(message ?? "")}</pre>
<p>Repair the file and reload this page.</p>
</main></body>
</html>
`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
