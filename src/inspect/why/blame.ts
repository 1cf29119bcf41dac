/** Where a gradient ended: the node to blame, and why. */
export interface Blame {
  readonly node: number;
  readonly sentence: string;
}
