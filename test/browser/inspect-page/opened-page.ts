import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { inspectionPage } from "../../../src/cli/inspect/page.js";
import type { InspectDocument } from "../../../src/inspect/index.js";

/** Where Debian puts it; `GRADSTAND_CHROMIUM` names another place. */
const executablePath = process.env.GRADSTAND_CHROMIUM ?? "/usr/bin/chromium";

/** Whether there is a browser to test with. */
export const hasBrowser = existsSync(executablePath);

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

/** A page with a document in it, and whatever it complained of or asked for. */
export interface OpenedPage {
  readonly page: Page;
  readonly troubles: readonly string[];
}

/** Opens the page of a document. */
export async function opened(
  browser: Browser,
  document: InspectDocument,
  { width = 1280, colorScheme = "light" as "light" | "dark" } = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  page.setDefaultTimeout(5000);
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => troubles.push(message.text()));
  page.on("request", (request) => troubles.push(`request of ${request.url()}`));
  await page.setContent(inspectionPage(document), { waitUntil: "load" });
  return { page, troubles };
}

/** The numbers of a term of the equation, as the page holds them, or undefined where there is no such term. */
export function numbersOf(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(`${selector} data`, (found) => found.map((one) => (one as HTMLDataElement).value));
}
