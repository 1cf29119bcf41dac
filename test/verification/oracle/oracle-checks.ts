import { hvp, tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";
import { check, type Check } from "../row.js";
import operations from "./operations.json" with { type: "json" };
import { operationUses } from "./operation-uses.js";

interface Recorded {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** One use as `operations.py` wrote it down. */
interface Use {
  readonly inputs: readonly Recorded[];
  readonly c: Recorded;
  readonly d: Recorded;
  readonly v: readonly Recorded[];
  readonly value: Recorded;
  readonly gradients: readonly Recorded[];
  readonly products: readonly Recorded[];
}

/** Both compute in float64: only orders of summation and the last places of functions differ. */
const tolerance = 1e-11;

const recorded: Readonly<Record<string, readonly Use[]>> = operations;

const read = ({ shape, values }: Recorded): Tensor => tensor(Float64Array.from(values), { shape });

/** Level 8: what PyTorch gives for the value, the gradients, and Hessian-vector products. */
export function oracleChecks(name: string): Check[] {
  const uses = recorded[name];
  const functions = operationUses[name];
  if (!uses && !functions) return [];
  if (uses?.length !== functions?.length)
    throw new Error(`operations.json and operation-uses.ts differ in "${name}"`);
  return [check("PyTorch 1.13.1", () => uses!.map((use, i) => agrees(functions![i]!, use)))];
}

function agrees(f: TensorFunction, { inputs, c, d, v, value, gradients, products }: Use): LawResult {
  const comparison = new Comparison("Oracle");
  const close = (part: string, found: Tensor, given: Recorded): void => {
    const expected = read(given);
    if (!comparison.sameKind(part, tolerance, part, found, expected)) return;
    const values = found.values();
    const size = Math.max(1, largest(given.values));
    given.values.forEach((wanted, i) =>
      comparison.error(part, tolerance, Math.abs(values[i]! - wanted) / size, () => ({
        where: `${part}, element ${i}`,
        expected: wanted,
        found: values[i]!,
        sources: { expected: "PyTorch", found: "gradstand" },
      })),
    );
  };
  const xs = inputs.map(read);
  const run = vjp(f, ...xs);
  close("value", run.value, value);
  const cotangent = read(c);
  run.pullback(cotangent).forEach((g, i) => close("gradient", g, gradients[i]!));
  const bend = read(d);
  const objective: TensorFunction = (...args) => {
    const y = f(...args);
    return y.mul(cotangent).add(y.square().mul(bend).mul(0.5)).sum();
  };
  hvp(objective, xs, v.map(read)).product.forEach((p, i) => close("Hessian-vector product", p, products[i]!));
  return comparison.result();
}
