let unfused = false;

/** Whether layers compute with elementary operations now; see {@link withUnfused}. */
export function isUnfused(): boolean {
  return unfused;
}

/**
 * Runs `f` with layers and losses composed of elementary operations in place of fused ones (the gates of a GRU step by step,
 * attention as two products and a softmax, …): the same functions, whose values may differ from the fused ones by rounding. For whoever
 * looks inside. Synchronous; restores the state when `f` throws.
 */
export function withUnfused<R>(on: boolean, f: () => R): R {
  const before = unfused;
  unfused = on;
  try {
    return f();
  } finally {
    unfused = before;
  }
}
