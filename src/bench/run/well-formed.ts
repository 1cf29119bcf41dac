import { fail } from "../../errors/index.js";
import type { Idea } from "../../ideas/index.js";

const words = ["name", "title", "summary", "source", "track", "model"] as const;
const parts = ["change", "checks", "measure", "summarize"] as const;

/** @throws E_IDEA naming what an idea lacks, before any of it is used */
export function requireWellFormed(idea: Idea): void {
  const lacking = [
    ...words
      .filter((word) => typeof idea[word] !== "string" || idea[word] === "")
      .map((word) => `${word} (text)`),
    ...(typeof idea.options === "object" && idea.options !== null ? [] : ["options (an object)"]),
    ...parts.filter((part) => typeof idea[part] !== "function").map((part) => `${part} (a function)`),
  ];
  if (lacking.length > 0) {
    fail("E_IDEA", `the idea ${String(idea.name)} is not well formed; it lacks ${lacking.join(", ")}`);
  }
}
