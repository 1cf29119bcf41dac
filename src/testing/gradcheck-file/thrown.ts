/** A value that was thrown as text: also one without a prototype, or whose toString throws, which `String` cannot convert. */
export function thrownValue(value: unknown): string {
  try {
    return String(value);
  } catch {
    return `a value of type ${typeof value} that has no text`;
  }
}
