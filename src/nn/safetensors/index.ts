export { decodeSafetensors, type SafetensorsContent } from "./decode.js";
export { encodeSafetensors } from "./encode.js";
