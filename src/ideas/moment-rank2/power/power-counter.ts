/** How many power means of rows could be restored. Give one to a layer, and read it when you like. */
export class PowerCounter {
  /** Rows that were restored. */
  rows = 0;
  /** Rows in which fewer means than asked for are kept: Newton's method found no polynomial, or a row had no spread. */
  fallbacks = 0;
  /** Of these, rows of which the mean alone is kept. */
  shifts = 0;

  /** The share of rows in which fewer means than asked for are kept; 0 before the first row. */
  get rate(): number {
    return this.rows === 0 ? 0 : this.fallbacks / this.rows;
  }

  /** Starts again from zero. */
  reset(): void {
    this.rows = this.fallbacks = this.shifts = 0;
  }

  /** Counts a row in which `kept` of `wanted` means are kept. */
  count(kept: number, wanted: number): void {
    this.rows++;
    if (kept === wanted) return;
    this.fallbacks++;
    if (kept === 1) this.shifts++;
  }
}
