import fc from "fast-check";
import type { LawResult } from "../../src/testing/index.js";
import { runs } from "../runs.js";
import type { LevelNumber } from "./levels.js";
import type { SubjectClass } from "./policy.js";

/** Something that is run for a level. */
export interface Check {
  readonly title: string;
  /** Hands over every result it gets; {@link Note} throws for one that did not pass. */
  readonly run: (note: Note) => void;
}

/** Takes a result down, and throws when it did not pass. */
export type Note = (result: LawResult) => void;

/** Why a level says nothing about a subject. */
export interface NotApplicable {
  readonly notApplicable: string;
}

/** What a row has for a level: checks that are run, or the reason why there can be none. */
export type Entry = readonly Check[] | NotApplicable;

/** One operation, layer, loss, optimizer, schedule or form of an idea, and how each level checks it. */
export interface Row {
  readonly name: string;
  readonly subject: SubjectClass;
  /** What of the {@link census} it accounts for, such as "rule add" and "autograd add". */
  readonly covers: readonly string[];
  readonly levels: Readonly<Partial<Record<LevelNumber, Entry>>>;
}

/** The entry of a level that cannot say anything about the subject. */
export function notApplicable(reason: string): NotApplicable {
  return { notApplicable: reason };
}

export function isNotApplicable(entry: Entry): entry is NotApplicable {
  return "notApplicable" in entry;
}

/** A check that is run once and gives one result or several. */
export function check(title: string, run: () => LawResult | readonly LawResult[]): Check {
  return { title, run: (note) => listed(run()).forEach(note) };
}

/** The number of samples of a property here: there are hundreds of properties. */
const fewRuns = 12;

/**
 * How long a sample that breaks a law is made smaller, in milliseconds from the first failure on. A fault in a layer breaks dozens
 * of properties, and each try of one may take seconds. No run without a failure is cut short.
 */
const shrinkingTime = 1000;

/** A law that holds for every sample; a sample that breaks it is shrunk as far as {@link shrinkingTime} allows. */
export function property<S>(
  title: string,
  samples: fc.Arbitrary<S>,
  law: (sample: S) => LawResult | readonly LawResult[],
  count = fewRuns,
): Check {
  return {
    title,
    run: (note) => {
      let end = Infinity;
      fc.assert(
        fc.property(samples, (sample) => {
          if (performance.now() > end) return;
          try {
            listed(law(sample)).forEach(note);
          } catch (error) {
            end = Math.min(end, performance.now() + shrinkingTime);
            throw error;
          }
        }),
        { numRuns: runs(count) },
      );
    },
  };
}

const listed = (results: LawResult | readonly LawResult[]): readonly LawResult[] =>
  "law" in results ? [results] : results;
