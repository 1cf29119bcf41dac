import type { Queued } from "./commands.js";

/** Words of squeue for waiting one's turn, and that of our own limit on how many run at once: nothing to tell. */
const ORDINARY = /^(None|Priority|Resources|JobArrayTaskLimit|)$/;

/** Words for a hold, which ends only when somebody lifts it. */
const HELD = /held|JobHoldMaxRequeue/i;

/**
 * Words for a request that does not fit: it begins only when it, or the limit that it exceeds, is changed. Such as PartitionNodeLimit and
 * ReqNodeNotAvail are not among them: they also stand for nodes that are down for now.
 */
const NEVER =
  /^(DependencyNeverSatisfied|BadConstraints|InvalidAccount|InvalidQOS|AccountNotAllowed|QOSNotAllowed|PartitionTimeLimit|(Assoc|QOS)Max\w*Per(Job|Node)\w*)$/;

/** Why an array task will not begin by waiting, and what to do about it; undefined where it may. */
export function neverBegins({ state, reason }: Queued): string | undefined {
  if (state !== "PENDING") return undefined;
  if (HELD.test(reason))
    return `it is held (${reason}); leave --hold out of --sbatch, or have whoever held it lift that, and resume`;
  if (NEVER.test(reason))
    return `it waits for what waiting does not bring (${reason}); ask for what the cluster gives with --sbatch="…" (--timeout and --chunk set its time), and resume`;
  return undefined;
}

/** What the array tasks in a queue wait for beside their turn, in one line; empty where that is all. */
export function waitingLine(queued: Iterable<Queued>): string {
  const counts = new Map<string, number>();
  for (const { state, reason } of queued)
    if (state === "PENDING" && !ORDINARY.test(reason)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].sort().map(([reason, count]) => `${count} for ${reason}`);
  return parts.length === 0
    ? ""
    : `array tasks wait in the queue of Slurm: ${parts.join("; ")}; Ctrl-C cancels them`;
}
