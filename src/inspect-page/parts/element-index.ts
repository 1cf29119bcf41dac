/** `3,1` or `[3, 1]`; the first element where nothing is written; undefined where there is no such element. */
export function readIndex(text: string, shape: readonly number[]): number[] | undefined {
  const bare = text.replace(/^\s*\[|\]\s*$/g, "").trim();
  const index = bare === "" ? shape.map(() => 0) : bare.split(/[\s,]+/).map(Number);
  const fits =
    index.length === shape.length &&
    index.every((at, axis) => Number.isInteger(at) && at >= 0 && at < shape[axis]!);
  return fits ? index : undefined;
}
