/** A rung of the ladder. */
export interface Level {
  readonly title: string;
  /** The tolerance with its unit; u = 2⁻²⁴, half the distance of neighbouring float32 numbers above 1. */
  readonly tolerance: string;
}

/** The levels of verification, from exact arithmetic on small numbers to planted faults. */
export const levels = {
  0: {
    title:
      "structural operations and small whole numbers against naive loops: values, gradients, and the shape and type of every gradient",
    tolerance: "exact",
  },
  1: {
    title: "elementwise values in float32 against float64, over special values and a grid of the whole range",
    tolerance: "2 ulp for the named primitives; 4u·(1 + |value|) for composed ones",
  },
  2: {
    title: "reductions and products in float32 against float64; a fused operation against its composed twin",
    tolerance: "4√n·u·Σ|x|",
  },
  3: {
    title:
      "float64 gradient against five-point differences: the full Jacobian on small shapes, random cotangents",
    tolerance: "1e-9 relative to max(1, |g|∞)",
  },
  4: {
    title: "float32 gradient against the float64 gradient, element by element",
    tolerance:
      "elementwise 4u·max(|g|, |cotangent|); GRU over 50 steps 1e-5·|g|∞; transformer block 2e-5·|g|∞",
  },
  5: {
    title: "⟨J·v, w⟩ = ⟨v, Jᵀ·w⟩ at the sizes that models use",
    tolerance: "float64 1e-12, float32 1e-5, relative to |J·v|·|w|",
  },
  6: {
    title: "Hessian-vector products against differences of the gradient; symmetry",
    tolerance: "1e-7; symmetry 1e-12",
  },
  7: {
    title:
      "properties: the pullback scales exactly by powers of two and adds, a zero cotangent gives exact zeros, the same bits twice, broadcast = explicit expand, batch = stack of singles, `reference` = `simd`, and what else the subject promises",
    tolerance: "exact where not said",
  },
  8: { title: "values from outside: PyTorch, published literals", tolerance: "1e-6" },
  9: {
    title: "inputs on which public autograd libraries gave wrong values, each with its whole kind",
    tolerance: "as written in the case",
  },
  10: {
    title: "200 steps of Adam against the float64 run",
    tolerance: "the loss, 1e-4 relative at step 50",
  },
  11: { title: "planted faults (mutants) in its source", tolerance: "every one found" },
} as const satisfies Record<number, Level>;

export type LevelNumber = keyof typeof levels;

export const levelNumbers: readonly LevelNumber[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
