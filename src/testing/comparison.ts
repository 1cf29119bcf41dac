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

/** Collects the errors that a law finds, each on the scale of the tolerance of its part. */
export class Comparison {
  readonly #parts = new Map<string, Part>();
  #kinks = 0;

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

  /** Counts elements at which nothing can be compared, because the function has a kink there. */
  kink(): void {
    this.#kinks++;
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
        where: `${where}, element ${elementText(i, found.shape)}`,
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
    const failure =
      worst?.failure ??
      (compared === 0 && kinks > 0
        ? {
            where: "every element that was looked at lies on a kink",
            expected: "some element at which the function is smooth",
            found: `${kinks} kinks and nothing else`,
          }
        : undefined);
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

/** A number so that −0 is seen. */
function numberText(value: number): number | string {
  return Object.is(value, -0) ? "-0" : value;
}
