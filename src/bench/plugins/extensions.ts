/** Endings of the files that are loaded without a build step. */
export const extensions: readonly string[] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];
