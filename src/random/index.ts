export { generator, Generator } from "./generator.js";
export type { Seed } from "./identity.js";
export { pcg64, type Pcg64 } from "./pcg64.js";
