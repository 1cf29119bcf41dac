import { Tensor } from "../../autograd/index.js";
import type { JsonValue } from "../document.js";
import { toJson } from "../json-number.js";

/** Lists and texts longer than this are described. */
const longest = 16;

/**
 * The attributes of an operation that say what it does: numbers, words and short lists, also one record deep; undefined when there
 * are none.
 */
export function plainAttributes(attributes: unknown): Record<string, JsonValue> | undefined {
  if (typeof attributes !== "object" || attributes === null) return undefined;
  const plain = Object.entries(attributes).flatMap(([name, value]: [string, unknown]) => {
    const shown = plainValue(value, 0);
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return plain.length > 0 ? Object.fromEntries(plain) : undefined;
}

/** undefined for what holds intermediate values rather than a setting. */
function plainValue(value: unknown, depth: number): JsonValue | undefined {
  if (typeof value === "number") return toJson(value);
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value === "string") return value.slice(0, 200);
  if (value instanceof Tensor) return `tensor ${value.dtype} [${value.shape.join(", ")}]`;
  if (ArrayBuffer.isView(value)) {
    const list = value as unknown as ArrayLike<number>;
    return list.length <= longest && value instanceof Int32Array ? Array.from(list, toJson) : undefined;
  }
  if (isPlainRecord(value)) return depth === 0 ? settingsIn(value) : undefined;
  if (!Array.isArray(value) || depth > 1 || value.length > longest) return undefined;
  const parts = value.map((part: unknown) => plainValue(part, depth + 1));
  return parts.some((part) => part === undefined) ? undefined : (parts as JsonValue[]);
}

/** The numbers and words of a record, such as the sizes of an attention; undefined when there are none. */
function settingsIn(record: Readonly<Record<string, unknown>>): JsonValue | undefined {
  const plain = Object.entries(record).flatMap(([name, value]) => {
    const shown = typeof value === "object" ? undefined : plainValue(value, 1);
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return plain.length > 0 ? Object.fromEntries(plain) : undefined;
}

function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
