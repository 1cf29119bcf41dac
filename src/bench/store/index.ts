export type { CellStore, KeyedCell } from "./cell-store.js";
export { openStore, type StoreNotice, type StoreSettings } from "./folder-store.js";
export { memoryStore } from "./memory-store.js";
export { makeFolders } from "./make-folders.js";
