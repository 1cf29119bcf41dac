export { builtInIdeas } from "./built-in.js";
export type * from "./idea.js";
