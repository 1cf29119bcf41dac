import { tensor, type Tensor } from "../../autograd/index.js";
import { isFloating } from "../../tensor/index.js";
import { axisGroups, keptSlices, type AxisGroup } from "./axis-groups.js";
import type { LawResult } from "../law-result.js";
import type { Subject, SubjectOptions } from "../subject.js";

/** A law as it is asked of a subject at inputs. */
export type Check<Options extends SubjectOptions = SubjectOptions> = (
  subject: Subject,
  inputs: readonly Tensor[],
  options?: Options,
) => LawResult;

/** Options of {@link shrinkInputs}. */
export interface ShrinkOptions {
  /** Axes by name, such as `(m,n),(n,p)->(m,p)`; without it axes of equal length are tried together and alone. */
  readonly signature?: string;
  /** How often the law may be asked. Default 300. */
  readonly evaluations?: number;
  /** Milliseconds after which the smallest so far is taken. Default 2000. */
  readonly milliseconds?: number;
}

/** The smallest inputs found for which a law still fails in the same way. */
export interface Shrunk {
  readonly inputs: readonly Tensor[];
  readonly result: LawResult;
}

/**
 * Makes failing inputs small: first slice by slice, halving axes and then dropping single slices, then value by value, to 0, 1 or
 * few digits. A smaller candidate is taken when the law fails there in the same way; one that the subject
 * refuses by throwing is not.
 *
 * @param law what fails; it is given the subject and candidates for the inputs
 * @returns the inputs themselves when the law does not fail there
 */
export function shrinkInputs(
  law: Check,
  subject: Subject,
  inputs: readonly Tensor[],
  options: ShrinkOptions = {},
): Shrunk {
  const search = new Search(law, subject, inputs, options);
  if (search.result.passed) return search;
  while (search.goesOn && (dropSlices(search, options.signature) || simplifyValues(search)));
  return search;
}

class Search implements Shrunk {
  inputs: readonly Tensor[];
  result: LawResult;
  readonly #way: string;
  readonly #end: number;
  #left: number;

  constructor(
    private readonly law: Check,
    private readonly subject: Subject,
    inputs: readonly Tensor[],
    { evaluations = 300, milliseconds = 2000 }: ShrinkOptions,
  ) {
    this.inputs = inputs;
    this.result = law(subject, inputs);
    this.#way = way(this.result);
    this.#left = evaluations;
    this.#end = performance.now() + milliseconds;
  }

  get goesOn(): boolean {
    return this.#left > 0 && performance.now() < this.#end;
  }

  /** Takes the candidate when the law fails there in the same way. */
  take(candidate: readonly Tensor[]): boolean {
    if (!this.goesOn) return false;
    this.#left--;
    let result: LawResult;
    try {
      result = this.law(this.subject, candidate);
    } catch {
      return false;
    }
    if (result.passed || way(result) !== this.#way) return false;
    this.inputs = candidate;
    this.result = result;
    return true;
  }
}

/** What kind of failure it is: of a gradient or a value, and whether numbers, NaN or kinds differ. */
function way({ failure }: LawResult): string {
  if (!failure) return "";
  const kind = (value: number | string): string => (Number.isNaN(value) ? "NaN" : typeof value);
  const subject = failure.where.split(" ").slice(0, 2).join(" ");
  return [subject, kind(failure.expected), kind(failure.found)].join(" | ");
}

/** One round over all groups of axes; returns whether anything became smaller. */
function dropSlices(search: Search, signature: string | undefined): boolean {
  let smaller = false;
  for (let at = 0; search.goesOn; at++) {
    const group = axisGroups(search.inputs, signature)[at];
    if (!group) break;
    while (search.goesOn && dropFrom(search, group)) smaller = true;
  }
  return smaller;
}

function dropFrom(search: Search, group: AxisGroup): boolean {
  const length = search.inputs[group[0]!.input]!.shape[group[0]!.axis]!;
  if (group.some(({ input, axis }) => search.inputs[input]!.shape[axis] !== length)) return false;
  return keptSlices(length).some((kept) => search.take(sliced(search.inputs, group, kept)));
}

function sliced(inputs: readonly Tensor[], group: AxisGroup, kept: readonly number[]): Tensor[] {
  return inputs.map((x, i) => {
    const places = tensor(Int32Array.from(kept));
    return group
      .filter(({ input }) => input === i)
      .reduce((part, { axis }) => part.gather(places, axis), x)
      .detach();
  });
}

/** One round over the values; returns whether anything became simpler. */
function simplifyValues(search: Search): boolean {
  let simpler = false;
  search.inputs.forEach((x, input) => {
    if (!isFloating(x.dtype)) return;
    const replace = (values: ArrayLike<number>): boolean =>
      search.take(
        search.inputs.map((other, i) =>
          i === input ? tensor(Float64Array.from(values), { shape: x.shape }).cast(x.dtype) : other,
        ),
      );
    const now = (): Float64Array => Float64Array.from(search.inputs[input]!.values());
    for (const simpleForm of simpleForms) {
      const values = now().map(simpleForm);
      if (values.some((value, i) => cost(value) < cost(now()[i]!)) && replace(values)) simpler = true;
    }
    for (let at = 0; at < x.size && search.goesOn; at++)
      for (const simpleForm of simpleForms) {
        const values = now();
        const candidate = simpleForm(values[at]!);
        if (cost(candidate) >= cost(values[at]!)) continue;
        values[at] = candidate;
        if (!replace(values)) continue;
        simpler = true;
        break;
      }
  });
  return simpler;
}

const simpleForms: readonly ((value: number) => number)[] = [
  () => 0,
  () => 1,
  (value) => Math.round(value),
  (value) => Math.round(value * 2) / 2,
  (value) => Number(value.toPrecision(1)),
  (value) => Number(value.toPrecision(2)),
];

/** How hard a number is to read: its digits, then its size. */
function cost(value: number): number {
  if (value === 0) return Object.is(value, -0) ? 0.5 : 0;
  if (value === 1) return 1;
  return 2 + String(value).length + Math.min(0.9, Math.abs(value) / 1e6);
}
