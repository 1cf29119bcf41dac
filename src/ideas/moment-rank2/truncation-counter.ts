import { reachesBound } from "./amplification-bound.js";

/** How often the gradients of truncations were clipped. Give one to a truncation, and read it when you like. */
export class TruncationCounter {
  /** Matrices whose gradient was taken. */
  matrices = 0;
  /** Matrices of which at least one pair of singular values was clipped. */
  clippedMatrices = 0;
  /** Pairs of a kept and a discarded singular value in those matrices. */
  pairs = 0;
  /** Pairs that were clipped. */
  clippedPairs = 0;

  /** The share of matrices with a clipped pair; 0 before the first gradient. */
  get rate(): number {
    return this.matrices === 0 ? 0 : this.clippedMatrices / this.matrices;
  }

  /** Starts again from zero. */
  reset(): void {
    this.matrices = this.clippedMatrices = this.pairs = this.clippedPairs = 0;
  }

  /** Counts a batch of spectra: s `[batch, k]`, descending, of which the first `rank` are kept. */
  count(s: ArrayLike<number>, k: number, rank: number, bound: number): void {
    const single = s instanceof Float32Array;
    for (let base = 0; base < s.length; base += k) {
      let clipped = 0;
      for (let i = base; i < base + rank; i++) {
        for (let j = base + rank; j < base + k; j++) {
          if (reachesBound(s[i]!, s[j]!, bound, single)) clipped++;
        }
      }
      this.matrices++;
      this.pairs += rank * (k - rank);
      this.clippedPairs += clipped;
      if (clipped > 0) this.clippedMatrices++;
    }
  }
}
