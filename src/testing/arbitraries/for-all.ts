import fc from "fast-check";
import { fail } from "../../errors/index.js";
import { unexplained } from "../explain.js";
import { LawError } from "../law-failure.js";
import type { LawResult } from "../law-result.js";

/** Options of {@link forAll}. */
export interface ForAllOptions {
  /** Default: that of fast-check's `configureGlobal`, else a new one each time; a failure prints it. */
  readonly seed?: number;
  /** How many values are drawn. Default: that of `configureGlobal`, else 100. */
  readonly runs?: number;
  /** The path that a failure printed, to go to its smallest value at once; needs its seed. */
  readonly path?: string;
  /** Milliseconds after which no further value is drawn; a run that was cut short fails. Default: no limit. */
  readonly timeLimit?: number;
}

/** What {@link forAll} saw. */
export interface ForAllResult {
  readonly seed: number;
  readonly runs: number;
  /** Of the laws that returned what they found, the result that came nearest to its tolerance. */
  readonly worst: LawResult | undefined;
}

/** What a law says of one value: nothing or true when it holds, and a result of the kit's own laws. */
export type Verdict = LawResult | boolean | void;

/**
 * Tries a law on random values. It is broken when it throws, returns false or a result that did not pass; the value is then
 * made as small as it goes and reported with the line that replays it. A result that saw nothing but kinks is no failure of
 * that value, but one of the whole run when nothing else was seen.
 *
 * @throws E_LAW with at most 15 lines, also when the run was interrupted by its time limit
 */
export function forAll<T>(
  values: fc.Arbitrary<T>,
  law: (value: T) => Verdict,
  options: ForAllOptions = {},
): ForAllResult {
  const seen = new Seen();
  const { seed, runs, path, timeLimit } = options;
  const details = fc.check(
    fc.property(values, (value) => {
      seen.add(unexplained(() => verdictOf(law, value)));
    }),
    {
      ...(seed !== undefined && { seed }),
      ...(runs !== undefined && { numRuns: runs }),
      ...(path !== undefined && { path }),
      ...(timeLimit !== undefined && { interruptAfterTimeLimit: timeLimit }),
      markInterruptAsFailure: true,
    },
  );
  if (details.failed) {
    const cause = reasonAt(details, law);
    fail("E_LAW", messageOf(details, cause), cause instanceof LawError ? {} : { cause });
  }
  if (seen.onlyKinks)
    fail(
      "E_LAW",
      `nothing but kinks was seen in ${details.numRuns} runs, so nothing was compared; draw values away from the kinks\n` +
        `seed ${details.seed}`,
    );
  return { seed: details.seed, runs: details.numRuns, worst: seen.worst };
}

/** The results of one run. */
class Seen {
  worst: LawResult | undefined;
  #kinks = 0;
  #compared = 0;

  add(result: LawResult | undefined): void {
    if (!result) {
      this.#compared++;
      return;
    }
    this.#kinks += result.kinks;
    this.#compared += result.compared;
    if (result.compared > 0 && (!this.worst || usedUp(result) > usedUp(this.worst))) this.worst = result;
  }

  get onlyKinks(): boolean {
    return this.#compared === 0 && this.#kinks > 0;
  }
}

/** How much of its tolerance a result uses up. */
function usedUp({ worst, tolerance }: LawResult): number {
  return worst === 0 ? 0 : worst / tolerance;
}

/** The result of a law on a value, undefined when it gives none. Throws when it is broken. */
function verdictOf<T>(law: (value: T) => Verdict, value: T): LawResult | undefined {
  let verdict: Verdict;
  try {
    verdict = law(value);
  } catch (error) {
    if (error instanceof LawError && sawOnlyKinks(error.result)) return error.result;
    throw error;
  }
  if (verdict === false) throw new Error("the law returned false");
  if (verdict instanceof Promise)
    fail(
      "E_VALUE",
      "forAll: expected the law to return nothing, true or a result, got a promise; it may not be async",
    );
  if (!isResult(verdict)) return undefined;
  if (!verdict.passed && !sawOnlyKinks(verdict)) throw new LawError(verdict);
  return verdict;
}

/** What a matcher gives back is none: only its own properties may be asked for. */
function isResult(verdict: Verdict): verdict is LawResult {
  return typeof verdict === "object" && Object.hasOwn(verdict, "passed") && Object.hasOwn(verdict, "kinks");
}

function sawOnlyKinks({ compared, kinks }: LawResult): boolean {
  return compared === 0 && kinks > 0;
}

/** Why the law is broken at the smallest value, explained where it explains itself. */
function reasonAt<T>(
  { counterexample, errorInstance }: fc.RunDetails<[T]>,
  law: (value: T) => Verdict,
): unknown {
  if (counterexample === null) return errorInstance;
  try {
    verdictOf(law, counterexample[0]);
  } catch (error) {
    return error;
  }
  return errorInstance;
}

const mostLines = 15;

/** What broke, the smallest value on which it did, and how to come back to it: at most 15 lines. */
function messageOf<T>(details: fc.RunDetails<[T]>, error: unknown): string {
  if (details.counterexample === null)
    return (
      `the run was interrupted after ${details.numRuns} values by its time limit, so it says nothing; raise timeLimit or ask for ` +
      `fewer runs\nseed ${details.seed}`
    );
  const { seed, counterexamplePath: path, numRuns, numShrinks } = details;
  const end = [
    `value ${numRuns}, made smaller ${numShrinks} times; to replay it, give forAll the options`,
    `  { seed: ${seed}, path: ${JSON.stringify(path)} }`,
  ];
  const why = (error instanceof Error ? error.message : String(error)).replace(/^E_LAW: /, "").split("\n");
  const value = `the smallest value that breaks it: ${valueText(details.counterexample[0])}`.split("\n");
  const shown = shortened(value, mostLines - end.length - Math.min(why.length, mostLines - end.length - 3));
  return [...shortened(why, mostLines - end.length - shown.length), ...shown, ...end].join("\n");
}

/** A value as it can be read: layers and graphs have a text of their own. */
function valueText(value: unknown): string {
  const own = typeof value === "object" && value !== null && Object.hasOwn(value, "toString");
  return own ? `\n${String(value)}` : fc.stringify(value);
}

/** At most so many lines, the last of them … when there are more. */
function shortened(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), "  …"];
}
