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

let onCall: ((call: string) => void) | undefined;

/** Tells `listener` each call of a user's function before it begins, until it is replaced: who stops a call that never ends knows which. */
export function listenToCalls(listener: ((call: string) => void) | undefined): void {
  onCall = listener;
}

/** Tells the listener, where there is one. */
export function announceCall(call: string): void {
  onCall?.(call);
}

/** Whether this is a trial, in which every number of a call is looked at. */
export function watchesClosely(): boolean {
  return close;
}
