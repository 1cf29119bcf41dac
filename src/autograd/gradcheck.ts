import { checkedOptions, checkNumbers, fail } from "../errors/index.js";
import { formatShape } from "../tensor/index.js";
import { vjp } from "./derivatives.js";
import { noGrad } from "./record.js";
import { tensor } from "./create.js";
import { Tensor } from "./tensor.js";

/** Options of {@link gradcheck}. */
export interface GradcheckOptions {
  /** Largest difference allowed, relative to max(1, |g|∞). Default 1e-7. */
  readonly tolerance?: number;
  /** The step of the differences, relative to max(1, |x|). Default 1e-3, for the five-point formula. */
  readonly step?: number;
  /** Throw `E_GRADCHECK` on a disagreement. Default true. */
  readonly throws?: boolean;
}

/** One element where the rule and the differences were compared. */
export interface GradcheckResult {
  readonly passed: boolean;
  /** The largest error found, relative to max(1, |g|∞). */
  readonly worst: number;
  readonly input: number;
  readonly element: readonly number[];
  readonly rule: number;
  readonly differences: number;
}

/** Cotangents that are all different and of both signs: ones would hide softmax and layer norm, whose gradients then vanish. */
function probe(shape: readonly number[], size: number): Tensor {
  const values = Float64Array.from(
    { length: size },
    (_, i) => (i % 2 === 0 ? 1 : -1) * (0.5 + ((i * 0.618033988749895) % 1)),
  );
  return tensor(values, { shape: [...shape] });
}

/**
 * Compares the gradient of ⟨cotangent, f(inputs)⟩ by the rules with five-point differences
 * (f(x−2h) − 8f(x−h) + 8f(x+h) − f(x+2h))/12h, element by element, in float64 whatever the inputs' type.
 * Throws `E_GRADCHECK` naming the worst element.
 */
export function gradcheck(
  f: (...xs: Tensor[]) => Tensor,
  inputs: readonly Tensor[],
  options: GradcheckOptions = {},
): GradcheckResult {
  checkedOptions("gradcheck", options);
  if (!Array.isArray(inputs) || !Array.from(inputs).every((x) => x instanceof Tensor))
    fail("E_VALUE", `gradcheck: expected a list of tensors, got ${typeof inputs}`);
  const tolerance = options.tolerance ?? 1e-7;
  const relativeStep = options.step ?? 1e-3;
  checkNumbers("gradcheck", { tolerance, step: relativeStep });
  const xs = inputs.map((x) => x.detach().cast("float64"));
  const { value, pullback } = vjp(f, ...xs);
  if (value.dtype !== "float64")
    fail("E_DTYPE", `gradcheck: expected f to compute in float64 for float64 inputs, got ${value.dtype}`);
  const cotangent = probe(value.shape, value.size);
  const rules = pullback(cotangent);
  const weights = cotangent.values();
  const objective = (args: Tensor[]): number => {
    const out = noGrad(() => f(...args)).values();
    let total = 0;
    for (let i = 0; i < out.length; i++) total += out[i]! * weights[i]!;
    return total;
  };
  let result: GradcheckResult = { passed: true, worst: 0, input: 0, element: [], rule: 0, differences: 0 };
  xs.forEach((x, input) => {
    const rule = rules[input]!.values() as Float64Array;
    const norm = Math.max(
      1,
      rule.reduce((largest: number, g: number) => Math.max(largest, Math.abs(g)), 0),
    );
    const values = x.values() as Float64Array;
    for (let at = 0; at < values.length; at++) {
      const h = relativeStep * Math.max(1, Math.abs(values[at]!));
      const shifted = (steps: number): number => {
        const moved = values.slice();
        moved[at] = moved[at]! + steps * h;
        return objective(xs.map((other, i) => (i === input ? tensor(moved, { shape: x.shape }) : other)));
      };
      const differences = (shifted(-2) - 8 * shifted(-1) + 8 * shifted(1) - shifted(2)) / (12 * h);
      const error = Math.abs(rule[at]! - differences) / norm;
      if (Number.isNaN(result.worst)) continue;
      if (!(error <= result.worst)) {
        result = {
          passed: error <= tolerance,
          worst: error,
          input,
          element: unravel(at, x.shape),
          rule: rule[at]!,
          differences,
        };
      }
    }
  });
  if (!result.passed && (options.throws ?? true)) {
    fail(
      "E_GRADCHECK",
      `input ${result.input} of shape ${formatShape(xs[result.input]!.shape)}, element [${result.element.join(", ")}]: the rule gives ` +
        `${result.rule}, differences give ${result.differences} (relative error ${result.worst.toExponential(2)}, allowed ${tolerance})`,
    );
  }
  return result;
}

function unravel(at: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  let rest = at;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]!);
    rest = Math.floor(rest / shape[axis]!);
  }
  return index;
}
