/** Parts of a stretch of memory that nobody has, rising; neighbours are one. */
export class FreeRanges {
  readonly #ranges: { from: number; to: number }[];

  constructor(from: number, to: number) {
    this.#ranges = from < to ? [{ from, to }] : [];
  }

  /** Takes `size` from the first range that holds it, and returns where that begins; undefined when none does. */
  take(size: number): number | undefined {
    const at = this.#ranges.findIndex(({ from, to }) => to - from >= size);
    const range = this.#ranges[at];
    if (!range) return undefined;
    const { from } = range;
    range.from += size;
    if (range.from === range.to) this.#ranges.splice(at, 1);
    return from;
  }

  /** Gives back what {@link take} gave. */
  giveBack(from: number, size: number): void {
    const to = from + size;
    const found = this.#ranges.findIndex((range) => range.from >= to);
    const after = found < 0 ? this.#ranges.length : found;
    const left = this.#ranges[after - 1];
    const right = this.#ranges[after];
    const joinsLeft = left?.to === from;
    const joinsRight = right?.from === to;
    if (joinsLeft && joinsRight) {
      left.to = right.to;
      this.#ranges.splice(after, 1);
    } else if (joinsLeft) left.to = to;
    else if (joinsRight) right.from = from;
    else this.#ranges.splice(after, 0, { from, to });
  }

  /** The sizes of the ranges, in their order. */
  get sizes(): readonly number[] {
    return this.#ranges.map(({ from, to }) => to - from);
  }
}
