/** The index of a flat, row-major place along each axis. */
export function indexOf(place: number, shape: readonly number[]): number[] {
  const index = new Array<number>(shape.length);
  let rest = place;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis]!;
    index[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return index;
}

/** The flat place in an array of `shape` that stands at an index of something that it was broadcast to. */
export function placeOf(index: readonly number[], shape: readonly number[]): number {
  const missing = index.length - shape.length;
  return shape.reduce((place, size, axis) => place * size + (size === 1 ? 0 : index[axis + missing]!), 0);
}
