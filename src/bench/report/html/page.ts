import type { Section } from "./elements.js";
import { Markup, markup, type Content } from "./markup.js";
import { style } from "./style.js";

/** Nothing but the style in the page itself: no script, no request, whatever a report's texts hold. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** What a page is made of. */
export interface Page {
  readonly title: string;
  /** What it is, after the title in the window's name. */
  readonly kind: string;
  readonly subtitle: Content;
  readonly sections: readonly Section[];
  readonly footer: Content;
  /** Rules of style beside those that every page has. */
  readonly style?: string;
}

/** One HTML file that needs neither network nor script, with a list of its sections. */
export function page({ title, kind, subtitle, sections, footer, style: own = "" }: Page): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: ${kind}</title>
<style>${new Markup(style + own)}</style>
</head>
<body>
<header><h1>${title}</h1>
<p>${subtitle}</p></header>
<nav aria-label="Contents"><ul>${sections.map(({ id, heading }) => markup`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>
<main>
${sections.map(written)}</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`.text;
}

function written({ id, heading, body }: Section): Content {
  return markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
${body}
</section>
`;
}
