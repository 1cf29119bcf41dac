import type { SourceLine } from "../autograd/source-line.js";
import { GradstandError } from "../errors/index.js";
import { failureMessage } from "./failure/failure-message.js";
import type { LawResult } from "./law-result.js";

/** Two arrays that should be the same, for a look at the pattern in which they differ. */
export interface Pattern {
  readonly shape: readonly number[];
  readonly expected: ArrayLike<number>;
  readonly found: ArrayLike<number>;
  /** What was found for the other tensors, by name. */
  readonly others?: ReadonlyMap<string, ArrayLike<number>>;
  /** The whole Jacobian, the axes of the result before those of the input, where it is small. */
  readonly jacobian?: JacobianPattern | undefined;
}

/** A Jacobian that was found beside the right one. */
export interface JacobianPattern {
  /** The number of axes of the result. */
  readonly resultRank: number;
  readonly shape: readonly number[];
  readonly expected: ArrayLike<number>;
  readonly found: ArrayLike<number>;
}

/** An operation that breaks the law on its own. */
export interface WrongOperation {
  readonly name: string;
  /** How many operations were carried out before it. */
  readonly at: number;
  /** The line of code that called it, where the engine tells. */
  readonly source: SourceLine | undefined;
  /** How it breaks the law: its input and element. */
  readonly where: string;
  /** What the pattern of its error suggests. */
  readonly hint?: string;
}

/** Where a law was broken, and how. */
export interface LawFailure {
  /** What was compared, such as `gradient of input 0`. */
  readonly where: string;
  /** Which element of it, such as `[1, 2]`; none when it is about the whole. */
  readonly element?: string;
  readonly expected: number | string;
  readonly found: number | string;
  /** Where the two come from, such as `differences` and `rule`. */
  readonly sources?: { readonly expected: string; readonly found: string };
  /** The two arrays as a whole, where there are such. */
  readonly pattern?: Pattern;
  /** What the ratio or the pattern of the two suggests. */
  readonly hint?: string;
  /**
   * The first operation, in the order of computation, that breaks the law on its own; null when each of them keeps it; undefined when
   * nothing was looked for.
   */
  readonly firstOperation?: WrongOperation | null;
  /** A line to paste that shows the failure again, with the smallest inputs that were found. */
  readonly replay?: string;
}

/** A law that was found broken: `E_LAW`, with a message of at most 15 lines and the result itself. */
export class LawError extends GradstandError {
  constructor(readonly result: LawResult) {
    super("E_LAW", failureMessage(result));
  }

  /** What a test runner shows beside the message: the result, with its arrays, stays out of it. */
  toJSON(): { code: string; message: string } {
    return { code: this.code, message: this.message };
  }
}
