import type { Tensor } from "../../../autograd/index.js";
import type { Floats } from "../../../tensor/index.js";
import { momentsOf } from "../grid-layer.js";
import { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";

/** P(H) = mean(H), over the grid of the settings. */
export function meanProjector({ grid }: Pick<Settings, "grid">): MomentProjector {
  const { elements, rows, columns, ...basis } = momentsOf({ grid, weight: "none" });
  const ones = elements.slice(0, rows * columns);
  return new MomentProjector({ ...basis, rows, columns, count: 1, names: ["mass"], elements: ones });
}

/** max_k |mean(a^k) − mean(b^k)|, k = 1 … count, of each row, in float64: a and b `[batch, units]`. */
export function powerDrifts(a: Tensor, b: Tensor, count: number): Float64Array {
  const length = a.shape.at(-1)!;
  const [means, others] = [powerMeansOf(a, count), powerMeansOf(b, count)];
  return Float64Array.from({ length: a.size / length }, (_, row) => {
    let worst = 0;
    for (let k = row * count; k < (row + 1) * count; k++) {
      const drift = Math.abs(means[k]! - others[k]!);
      worst = drift <= worst ? worst : drift;
    }
    return worst;
  });
}

function powerMeansOf(x: Tensor, count: number): Float64Array {
  const data = x.array.data as Floats;
  const length = x.shape.at(-1)!;
  const means = new Float64Array((data.length / length) * count);
  for (let at = 0; at < data.length; at++) {
    let power = 1 / length;
    const row = Math.floor(at / length) * count;
    for (let k = 0; k < count; k++) {
      power *= data[at]!;
      means[row + k]! += power;
    }
  }
  return means;
}
