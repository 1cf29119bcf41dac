import { onesLike, Tensor, tensor, vjp, zerosLike } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { check, type Check } from "../row.js";

/** The derivative of a function of each element at some points. */
type Slopes = readonly [f: (x: Tensor) => Tensor, at: readonly number[], slopes: readonly number[]];

/** The derivative that the documentation promises where there is none or two, and far out. */
export const promised: Readonly<Record<string, readonly Slopes[]>> = {
  abs: [[(x) => x.abs(), [0, -0, -2, 3], [0, 0, -1, 1]]],
  sign: [[(x) => x.sign(), [0, -2, Infinity], [0, 0, 0]]],
  relu: [[(x) => x.relu(), [0, -0, -1, 1, NaN], [0, 0, 0, 1, 1]]],
  clip: [[(x) => x.clip(-1, 1), [-1, 1, -1.5, 1.5], [1, 1, 0, 0]]],
  maximum: [
    [(x) => x.maximum(2), [2, 1, 3], [0.5, 0, 1]],
    [(x) => x.maximum(x), [2], [1]],
  ],
  minimum: [
    [(x) => x.minimum(2), [2, 1, 3], [0.5, 1, 0]],
    [(x) => x.minimum(x), [2], [1]],
  ],
  scale: [
    [(x) => onesLike(x).mul(3).scale(x), [0, -0, 2, Infinity], [3, 3, 3, 3]],
    [(x) => zerosLike(x).scale(x), [0, 2, Infinity], [0, 0, 0]],
  ],
  sqrt: [[(x) => x.sqrt(), [0, 4], [Infinity, 0.25]]],
  log: [[(x) => x.log(), [0, 4], [Infinity, 0.25]]],
  pow: [
    [(x) => x.pow(0), [0, 2], [0, 0]],
    [(x) => x.pow(1), [0, -2], [1, 1]],
    [(x) => x.pow(0.5), [0], [Infinity]],
  ],
  softplus: [[(x) => x.softplus(), [-1000, 0, 1000], [0, 0.5, 1]]],
  sigmoid: [[(x) => x.sigmoid(), [-1000, 0, 1000], [0, 0.25, 0]]],
  tanh: [[(x) => x.tanh(), [-1000, 0, 1000], [0, 1, 0]]],
  gelu: [[(x) => x.gelu(), [-1000, 0, 1000], [0, 0.5, 1]]],
  geluTanh: [[(x) => x.gelu({ approximate: "tanh" }), [-1000, 0, 1000], [0, 0.5, 1]]],
  erf: [[(x) => x.erf(), [-1e200, 1e200], [0, 0]]],
  where: [[(x) => x.where(x.greater(0), 0), [-1, 0, 1], [0, 0, 1]]],
  reciprocal: [[(x) => x.reciprocal(), [Infinity, 2], [-0, -0.25]]],
};

/** Level 0 of what has a kink, a pole or an end of its range: the derivative there, exactly. */
export function promisedSlopes(name: string): Check[] {
  const uses = promised[name];
  if (!uses) return [];
  return [
    check("the derivative promised at kinks, poles and far out", () =>
      uses.map(([f, at, slopes]) => {
        const comparison = new Comparison("PromisedSlopes");
        const { value, pullback } = vjp((x) => f(x!), tensor(Float64Array.from(at)));
        // A cotangent that asks for a gradient has the pass recorded, which may take another rule.
        for (const [pass, cotangent] of [
          ["", onesLike(value)],
          [", recorded", new Tensor(onesLike(value).array, true)],
        ] as const) {
          const found = pullback(cotangent)[0]!.values();
          slopes.forEach((slope, i) =>
            comparison.error("equal", 0, found[i] === slope ? 0 : Infinity, () => ({
              where: `at ${at[i]}${pass}`,
              expected: slope,
              found: found[i]!,
            })),
          );
        }
        return comparison.result();
      }),
    ),
  ];
}
