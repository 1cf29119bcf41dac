import { allocate, type DType, type Elements } from "../tensor/index.js";

/** So many bytes become characters at once. */
const chunk = 0x8000;

/** The bytes of elements in base64. */
export function toBase64({ buffer, byteOffset, byteLength }: Elements): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += chunk)
    text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text);
}

/** So many elements from their bytes in base64. */
export function fromBase64(text: string, dtype: DType, size: number): Elements {
  const elements = allocate(dtype, size);
  const bytes = new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
  const characters = atob(text);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return elements;
}
