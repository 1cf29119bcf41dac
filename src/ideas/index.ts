export { builtInIdeas } from "./built-in.js";
export { defineIdea, type IdeaDefinition } from "./define-idea.js";
export type * from "./idea.js";
export { summarizeClaims } from "./summarize-claims.js";
