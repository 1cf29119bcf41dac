/** Whether calls are looked at more closely than training can afford: inputs before and after, and results number by number. */
let close = false;

/** Does `work` with {@link watchesClosely} true. */
export function watchingClosely<Result>(work: () => Result): Result {
  const before = close;
  close = true;
  try {
    return work();
  } finally {
    close = before;
  }
}

/** Whether this is a trial, in which every number of a call is looked at. */
export function watchesClosely(): boolean {
  return close;
}
