import { arange, concat, noGrad, vjp, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape, normalizeAxis } from "../../tensor/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import { elementText } from "../element.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { called, problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkCausality}. */
export interface CausalityOptions extends SubjectOptions {
  /** The axis of time of the input. Default 1, for `[batch, time, features]`. */
  readonly axis?: number;
  /** The axis of time of the result. Default: the same. */
  readonly resultAxis?: number;
  /** Which input has a time; the others are held. Default 0. */
  readonly input?: number;
  /** Also ask for gradients of exactly 0 from earlier results to later inputs. Default: true for floating inputs. */
  readonly gradients?: boolean;
}

/** What later inputs become: other numbers, and what spoils every sum that it enters, be it multiplied by 0. */
const laterInputs: readonly (readonly [name: string, of: (later: Tensor) => Tensor])[] = [
  ["other numbers", (later) => cotangentLike(later.cast("float64"), "later").cast(later.dtype)],
  ["NaN", (later) => later.mul(NaN)],
  ["infinity", (later) => later.mul(0).add(Infinity)],
];

/**
 * A result does not depend on what comes later: when inputs after a time are replaced, by other numbers, NaN or infinity, no
 * result up to that time changes by one bit; nor does a gradient flow from there to them. Asked for every time.
 */
export function checkCausality(
  subject: Subject,
  inputs: readonly Tensor[],
  options: CausalityOptions = {},
): LawResult {
  const { axis = 1, resultAxis = axis, input = 0 } = options;
  const comparison = new Comparison("Causality");
  const x = inputs[input]!;
  const along = normalizeAxis("Causality", axis, x.rank);
  const time = x.shape[along]!;
  const at = (later: Tensor): Tensor =>
    noGrad(() =>
      called(
        subject,
        inputs.map((other, i) => (i === input ? later : other)),
      ),
    );
  const whole = at(x);
  const out = normalizeAxis("Causality", resultAxis, whole.rank);
  if (whole.shape[out] !== time)
    fail(
      "E_SHAPE",
      `Causality: expected axis ${resultAxis} of the result to be the ${time} times of the input, got shape ${formatShape(whole.shape)}`,
    );
  const floating = x.dtype === "float32" || x.dtype === "float64";
  for (let t = 0; t < time - 1; t++) {
    const until = before(whole, out, t + 1);
    for (const [name, of] of floating ? laterInputs : laterInputs.slice(0, 1)) {
      const moved = concat([before(x, along, t + 1), of(after(x, along, t + 1))], along);
      comparison.bits(
        `result up to time ${t}, when later inputs become ${name}`,
        before(at(moved), out, t + 1),
        until,
        {
          expected: "before",
          found: "after",
        },
      );
    }
    if (options.gradients ?? floating)
      noLaterGradient(comparison, subject, inputs, { along, out, t, input, options });
  }
  return comparison.result();
}

interface Moment {
  readonly along: number;
  readonly out: number;
  readonly t: number;
  readonly input: number;
  readonly options: CausalityOptions;
}

/** A cotangent for results up to a time gives zeros at later inputs. */
function noLaterGradient(
  comparison: Comparison,
  subject: Subject,
  inputs: readonly Tensor[],
  { along, out, t, input, options }: Moment,
): void {
  const { f, points } = problemOf(subject, inputs, { ...options, parameters: false });
  const place = inputs.slice(0, input).filter((x) => x.dtype === "float32" || x.dtype === "float64").length;
  const { value, pullback } = vjp(f, ...points);
  const early = cotangentLike(value);
  const steps = arange(value.shape[out]!, undefined, 1, { dtype: "int32" });
  const shape = value.shape.map((n, axis) => (axis === out ? n : 1));
  const mask = steps.lessEqual(t).reshape(shape).expand(value.shape);
  const g = after(pullback(early.mul(mask.cast(value.dtype)))[place]!, along, t + 1);
  g.values().forEach((found, i) =>
    comparison.error("later gradients", 0, Math.abs(found), () => ({
      where: `gradient of input ${input} after time ${t}, for results up to it`,
      element: elementText(i, g.shape),
      expected: 0,
      found,
    })),
  );
}

function before(x: Tensor, axis: number, end: number): Tensor {
  return x.detach().slice([...Array<null>(axis).fill(null), [0, end]]);
}

function after(x: Tensor, axis: number, start: number): Tensor {
  return x.detach().slice([...Array<null>(axis).fill(null), [start, x.shape[axis]!]]);
}

/** {@link checkCausality}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectCausality(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: CausalityOptions,
): LawResult {
  return requiredOf(checkCausality, subject, inputs, options);
}
