export { configNames } from "./config-file.js";
export { resolveSettings, type Settings, type SettingSource } from "./settings.js";
