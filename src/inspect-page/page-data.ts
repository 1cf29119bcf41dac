import type { InspectDocument } from "../inspect/document.js";

/** What the command writes into the page. */
export interface PageData {
  readonly document: InspectDocument;
  /** The text of the files that the document's lines are of, by their paths; of those that were there to be read. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The data in the page's element `inspection`. */
export function readPageData(): PageData {
  const text = document.getElementById("inspection")?.textContent ?? "";
  if (text.trim() === "")
    throw new Error("this page holds no recording; write one with gradstand inspect WHAT --html");
  return JSON.parse(text) as PageData;
}
