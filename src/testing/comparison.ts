import type { Tensor } from "../autograd/index.js";
import { formatShape, sameShape } from "../tensor/index.js";
import { bitDistance } from "./bits.js";
import { elementText } from "./element.js";
import type { LawFailure } from "./law-failure.js";
import type { LawPart, LawResult } from "./law-result.js";

/** One part of a law while it is being checked. */
interface Part {
  readonly name: string;
  readonly tolerance: number;
  worst: number;
  compared: number;
  failure: LawFailure | undefined;
}

/** How two tensors are compared. */
export interface TensorComparison {
  /** The part of the law that this belongs to. */
  readonly part: string;
  readonly tolerance: number;
  /** What the tensor is, for a message. */
  readonly where: string;
  readonly sources?: LawFailure["sources"];
  /** What an absolute error is divided by: one number, or one for each element. Default 1. */
  readonly scale?: number | ((element: number) => number);
}

/** Collects the errors that a law finds, each on the scale of the tolerance of its part. */
export class Comparison {
  readonly #parts = new Map<string, Part>();
  #kinks = 0;
  #smooth = 0;

  constructor(readonly law: string) {}

  /** Counts an error; a NaN is an error without bound. `failure` is asked for only when the error is the worst so far and too large. */
  error(part: string, tolerance: number, error: number, failure: () => LawFailure): void {
    const entry = this.#part(part, tolerance);
    entry.compared++;
    const size = Number.isNaN(error) ? Infinity : error;
    if (size <= entry.worst) return;
    entry.worst = size;
    if (size > tolerance) entry.failure = failure();
  }

  /** Counts an element as one at which the function has a kink, or is smooth. A run that sees nothing but kinks fails. */
  place(kinked: boolean): void {
    if (kinked) this.#kinks++;
    else this.#smooth++;
  }

  /** Shape and type; returns whether they agree, so that elements can be compared. */
  sameKind(part: string, tolerance: number, where: string, found: Tensor, expected: Tensor): boolean {
    const kind = (x: Tensor): string => `${x.dtype} ${formatShape(x.shape)}`;
    const same = sameShape(found.shape, expected.shape) && found.dtype === expected.dtype;
    if (!same)
      this.error(part, tolerance, Infinity, () => ({
        where: `shape and type of ${where}`,
        expected: kind(expected),
        found: kind(found),
      }));
    return same;
  }

  /** Shape, type and |found − expected|/scale of each element. Equal infinities agree. */
  tensors(
    found: Tensor,
    expected: Tensor,
    { part, tolerance, where, sources, scale = 1 }: TensorComparison,
  ): void {
    if (!this.sameKind(part, tolerance, where, found, expected)) return;
    const a = found.values();
    const b = expected.values();
    const of = typeof scale === "number" ? () => scale : scale;
    for (let i = 0; i < a.length; i++) {
      const error = a[i] === b[i] ? 0 : Math.abs(a[i]! - b[i]!) / of(i);
      this.error(part, tolerance, error, () => ({
        where,
        element: elementText(i, found.shape),
        expected: b[i]!,
        found: a[i]!,
        ...(sources && { sources }),
        pattern: { shape: found.shape, expected: b, found: a },
      }));
    }
  }

  /** Shape, type and every bit; any NaN equals any NaN, −0 is not 0. */
  bits(
    where: string,
    found: Tensor,
    expected: Tensor,
    sources?: LawFailure["sources"],
    part = "equal bits",
  ): void {
    if (!this.sameKind(part, 0, where, found, expected)) return;
    const a = found.values();
    const b = expected.values();
    for (let i = 0; i < a.length; i++) {
      this.error(part, 0, bitDistance(a[i]!, b[i]!), () => ({
        where,
        element: elementText(i, found.shape),
        expected: numberText(b[i]!),
        found: numberText(a[i]!),
        ...(sources && { sources }),
      }));
    }
  }

  /** What was found. */
  result(): LawResult {
    const parts = [...this.#parts.values()];
    const kinks = this.#kinks;
    const compared = parts.reduce((sum, part) => sum + part.compared, 0);
    const worst = parts.reduce<Part | undefined>(
      (most, part) => (most && excess(most) >= excess(part) ? most : part),
      undefined,
    );
    const failure = worst?.failure ?? (this.#smooth === 0 && kinks > 0 ? nothingButKinks(kinks) : undefined);
    return {
      law: this.law,
      passed: failure === undefined,
      worst: worst?.worst ?? 0,
      tolerance: worst?.tolerance ?? 0,
      compared,
      kinks,
      parts: parts.map(({ name, worst, tolerance, compared }): LawPart => ({
        name,
        worst,
        tolerance,
        compared,
      })),
      ...(failure && { failure }),
    };
  }

  #part(name: string, tolerance: number): Part {
    let part = this.#parts.get(name);
    if (!part) {
      part = { name, tolerance, worst: 0, compared: 0, failure: undefined };
      this.#parts.set(name, part);
    }
    return part;
  }
}

/** How much of its tolerance a part uses up. */
function excess({ worst, tolerance }: Part): number {
  return worst === 0 ? 0 : worst / tolerance;
}

function nothingButKinks(kinks: number): LawFailure {
  return {
    where: "every element that was looked at lies on a kink",
    expected: "some element at which the function is smooth",
    found: `${kinks} kinks and nothing else`,
    hint: "move the inputs away from ties, from 0 of relu and abs, and from other points without a derivative",
  };
}

/** A number so that −0 is seen. */
function numberText(value: number): number | string {
  return Object.is(value, -0) ? "-0" : value;
}
