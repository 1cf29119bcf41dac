export type { CellStore, KeyedCell } from "./cell-store.js";
export { openStore, type StoreNotice, type StoreSettings } from "./folder-store.js";
export { memoryStore } from "./memory-store.js";
export { collectGarbage, type Garbage, type LeftFile } from "./collect-garbage.js";
export { peekStore } from "./peek-store.js";
export { makeFolders } from "./make-folders.js";
export { decodeRun, encodeRun, runFileName, runId, type StoredRun } from "./run-file.js";
export { registeredRuns, registerRun, type RegisteredRun } from "./run-register.js";
export { removeStaleTemporaries, temporaryBeside } from "./temporary-file.js";
