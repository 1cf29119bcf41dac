import { randomUniform, type Tensor } from "../../autograd/index.js";
import type { Generator } from "../../random/index.js";
import type { Drawn } from "./case.js";

/** The largest size that a name of a signature is given. */
const largestSize = 4;

/** Float64 inputs that fit a signature: each name has a size from 1 to 4, `...` none, one or two axes, the same for each input. */
export function drawInputs({ signature, domain: [low, high] }: Drawn, rng: Generator): Tensor[] {
  const sizes = new Map<string, number>();
  const sizeOf = (factor: number | string): number => {
    if (typeof factor === "number") return factor;
    const size = sizes.get(factor) ?? rng.integer(1, largestSize + 1);
    sizes.set(factor, size);
    return size;
  };
  const batch = Array.from({ length: rng.integer(0, 3) }, () => rng.integer(1, 4));
  return signature.inputs.map((axes) => {
    const shape = axes.flatMap((axis) =>
      axis === "..." ? batch : [axis.reduce<number>((size, factor) => size * sizeOf(factor), 1)],
    );
    return randomUniform(rng, shape, { low, high, dtype: "float64" });
  });
}
