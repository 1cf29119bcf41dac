import { tensor, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape, isFloating, type DType, type FloatDType } from "../../tensor/index.js";
import type { MomentBasis } from "./moment-basis.js";

/** The two matrices of a projection in one element type. */
interface Matrices {
  /** S∘Eᵀ, `[rows·columns, count]`: matrix → moments. */
  readonly analysis: Tensor;
  /** E/S, `[count, rows·columns]`: moments → matrix. */
  readonly synthesis: Tensor;
}

/**
 * The projection on the span of a basis of moments, P(H) = S⁻¹∘Σ_k ⟨E_k, S∘H⟩ E_k, which is orthogonal in the inner
 * product Σ S²∘X∘Y; S is 1 without a weight. Works in the element type of what it is given, and is differentiable to
 * any order.
 */
export class MomentProjector {
  readonly #matrices = new Map<FloatDType, Matrices>();

  constructor(readonly basis: MomentBasis) {}

  /** ⟨E_k, S∘H⟩ for each k: `[…, rows, columns]` → `[…, count]`. Throws `E_SHAPE`, `E_DTYPE`. */
  moments(h: Tensor): Tensor {
    return this.#flat(h)
      .matmul(this.#in(h).analysis)
      .reshape([...h.shape.slice(0, -2), this.basis.count]);
  }

  /** P(H), of the shape of H. Throws `E_SHAPE`, `E_DTYPE`. */
  project(h: Tensor): Tensor {
    const { analysis, synthesis } = this.#in(h);
    return this.#flat(h).matmul(analysis).matmul(synthesis).reshape(h.shape);
  }

  /** (I − P)(H): H without its moments. */
  remove(h: Tensor): Tensor {
    return h.sub(this.project(h));
  }

  /** C + P(H − C): C with the moments of H. */
  restore(c: Tensor, h: Tensor): Tensor {
    return c.add(this.project(h.sub(c)));
  }

  #flat(h: Tensor): Tensor {
    this.check(h);
    const { rows, columns } = this.basis;
    return h.reshape([h.size / (rows * columns), rows * columns]);
  }

  /** E_SHAPE unless H is matrices on the grid, `[…, rows, columns]`. */
  check(h: Tensor): void {
    const { rows, columns } = this.basis;
    if (h.rank < 2 || h.shape.at(-2) !== rows || h.shape.at(-1) !== columns) {
      fail("E_SHAPE", `moments: expected matrices of ${rows}×${columns}, got shape ${formatShape(h.shape)}`);
    }
  }

  #in({ dtype }: Tensor): Matrices {
    checkFloating(dtype);
    let matrices = this.#matrices.get(dtype);
    if (!matrices) {
      const { rows, columns, count, elements, scale } = this.basis;
      const size = rows * columns;
      const analysis = Float64Array.from({ length: size * count }, (_, at) => {
        const entry = Math.floor(at / count);
        return elements[(at % count) * size + entry]! * (scale ? scale[entry]! : 1);
      });
      const synthesis = scale ? elements.map((e, at) => e / scale[at % size]!) : elements;
      matrices = {
        analysis: tensor(analysis, { shape: [size, count], dtype }),
        synthesis: tensor(synthesis, { shape: [count, size], dtype }),
      };
      this.#matrices.set(dtype, matrices);
    }
    return matrices;
  }
}

/** E_DTYPE unless the type is a floating one. */
export function checkFloating(dtype: DType): asserts dtype is FloatDType {
  if (!isFloating(dtype))
    fail("E_DTYPE", `moments: expected float32 or float64, got ${dtype}; cast it first`);
}
