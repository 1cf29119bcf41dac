import { vjp, zerosLike, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { elementText } from "../element.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** A cotangent of zeros gives gradients of zeros exactly (either sign), in the shapes and types of the inputs. */
export function checkZeroCotangent(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("ZeroCotangent");
  const { value, pullback } = vjp(f, ...inputs);
  pullback(zerosLike(value)).forEach((g, i) => {
    const where = `gradient of input ${i}`;
    if (!comparison.sameKind("zeros", 0, where, g, inputs[i]!)) return;
    g.values().forEach((found, at) =>
      comparison.error("zeros", 0, Math.abs(found), () => ({
        where: `${where}, element ${elementText(at, g.shape)}, for a cotangent of zeros`,
        expected: 0,
        found,
      })),
    );
  });
  return comparison.result();
}

/** {@link checkZeroCotangent}, throwing `E_LAW` when it does not hold. */
export function expectZeroCotangent(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  return required(checkZeroCotangent(f, inputs));
}
