import { fail } from "../../errors/index.js";
import { ideaFaults } from "../../ideas/define-idea.js";
import type { Idea } from "../../ideas/index.js";

/** @throws E_IDEA naming what an idea lacks, before any of it is used */
export function requireWellFormed(idea: Idea): void {
  const faults = ideaFaults(idea);
  if (typeof (idea as Partial<Idea> | null)?.summarize !== "function")
    faults.push("summarize: expected a function");
  if (faults.length > 0)
    fail("E_IDEA", `the idea ${String(idea?.name)} is not well formed: ${faults.join("; ")}`);
}
