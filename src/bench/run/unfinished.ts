import { GradstandError } from "../../errors/index.js";
import type { UnfinishedStatus } from "../record.js";

/** Why a cell has no result, as its report says it. */
export interface Unfinished {
  readonly status: UnfinishedStatus;
  readonly reason: string;
}

/** So many cells that do not end, and none that does, end a run: it would go on without anything to compare. */
const HOPELESS = 4;

/**
 * Decides which failures of cells a run survives: a time-out and the death of a worker say nothing of what a cell computes, while
 * a cell that throws would throw again.
 */
export class Survival {
  #ended = 0;
  #unfinished = 0;

  /** A cell has a result. */
  ended(): void {
    this.#ended += 1;
  }

  /** What the report says of a cell that did not end; throws the error of one that ends the run. */
  survive(error: unknown): Unfinished {
    const status = error instanceof GradstandError ? statusOf(error) : undefined;
    if (status === undefined) throw error;
    this.#unfinished += 1;
    if (this.#ended === 0 && this.#unfinished >= HOPELESS) throw error;
    const { code, message } = error as GradstandError;
    return { status, reason: message.slice(code.length + 2) };
  }
}

function statusOf({ code }: GradstandError): UnfinishedStatus | undefined {
  if (code === "E_TIMEOUT") return "timeout";
  return code === "E_CRASH" ? "failed" : undefined;
}
