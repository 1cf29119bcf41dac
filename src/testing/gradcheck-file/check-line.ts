/** What one check of a file found: one line of the output. */
export interface CheckLine {
  /** The case or idea. */
  readonly subject: string;
  /** The law or identity. */
  readonly check: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The largest error and what was allowed, on one scale. */
  readonly worst?: number;
  readonly tolerance?: number;
  /** Numbers compared, over all runs. */
  readonly compared?: number;
  /** Elements left out because the function has a kink there. */
  readonly kinks?: number;
  /** Why it failed or was skipped. */
  readonly message?: string;
}
