/** What `npm start` does: builds the package if need be, and runs both built-in comparisons at the protocol of their first reports. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import "./build-if-changed.mjs";

const main = join(dirname(dirname(fileURLToPath(import.meta.url))), "dist/cli/main.js");
const words = ["bench", "run", "moment-rank2", "residual-pivoted", "--preset", "seed"];
process.argv.splice(1, 1, main, ...words);
await import(main);
