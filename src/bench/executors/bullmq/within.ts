import { setTimeout as pause } from "node:timers/promises";

/** Waits for something, but so many milliseconds at most, and whatever comes of it. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const done = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([done, pause(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
