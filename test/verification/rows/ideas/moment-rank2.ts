import { eye, jvp, stack, svd, tensor, vjp, type Tensor } from "../../../../src/autograd/index.js";
import {
  gridMoments,
  MomentPreservingTruncation,
  MomentProjector,
  randomMoments,
  truncateRank,
  type Form,
  type TruncationGradient,
} from "../../../../src/ideas/moment-rank2/index.js";
import { generator } from "../../../../src/random/index.js";
import { checkSameFunction, type LawResult } from "../../../../src/testing/index.js";
import { checkAgreement } from "../../checks/agreement.js";
import { checkKernelSets } from "../../checks/kernel-sets.js";
import { checkSecondOrderRefused } from "../../checks/second-order-refused.js";
import { layerRow, seeded } from "../../layer-row.js";
import { normals, stream } from "../../module-sample.js";
import { check, property, type Row } from "../../row.js";
import type { Sample } from "../../sample.js";

const sizes = [
  [4, 4],
  [3, 5],
  [5, 3],
] as const;

const rank = 2;

const notWhole = "singular values of whole numbers are not whole";
const noOutside = "no other library has it; the gradient formula is checked at level 3";
const untrained = "trained by the bench; singular vectors of a model that drifts do not stay comparable";
const refusal = "its second derivative divides by every gap of the spectrum and is refused";

/** Singular values in decreasing order, far enough apart at the cut that differences mean something: U·diag·Vᵀ of a draw. */
function spectral(seed: number, name: string, rows: number, columns: number): Tensor {
  const { u, v } = svd(normals(stream(seed, name), [rows, columns]));
  const values = [3, 2.2, 1, 0.6, 0.3].slice(0, Math.min(rows, columns));
  return values
    .map((s, t) =>
      u
        .slice([null, [t, t + 1]])
        .matmul(v.slice([null, [t, t + 1]]).transpose())
        .mul(s),
    )
    .reduce((a, b) => a.add(b));
}

const layerOf = (
  form: Form,
  rows: number,
  columns: number,
  options: object = {},
): MomentPreservingTruncation =>
  new MomentPreservingTruncation({ grid: { rows, columns }, form, rank, bound: Infinity, ...options });

/** A matrix whose truncated part has a gap: that of H in form A, of H without its moments in form B. */
function state(form: Form, rows: number, columns: number, seed: number): Tensor {
  const { projector } = layerOf(form, rows, columns);
  const gap = (h: Tensor): number => {
    const s = svd(form === "B" ? projector.remove(h) : h).s.values();
    return s.length > rank ? s[rank - 1]! - s[rank]! : 1;
  };
  const draws = Array.from({ length: 20 }, (_, i) => spectral(seed, `h${i}`, rows, columns));
  return draws.reduce((best, h) => (gap(h) > gap(best) ? h : best));
}

const formSamples = (form: Form, options: object = {}) =>
  seeded({ size: sizes }, ({ size: [rows, columns] }, seed) => ({
    f: (h) => layerOf(form, rows, columns, options).forward(h!),
    inputs: [state(form, rows, columns, seed)],
  }));

const states = (count: number): Tensor => normals(generator("states"), [count, 8, 8]);

/** Any matrices, in both types: what the projection of the result leaves of the moments of H, of ‖H‖. */
function keepsMoments(layer: MomentPreservingTruncation): LawResult {
  const h = states(64);
  const scale = h.square().sum([1, 2]).sqrt().unsqueeze(1);
  const drift = (x: Tensor): Tensor =>
    layer.projector
      .moments(layer.forward(x).cast("float64"))
      .sub(layer.projector.moments(x.cast("float64")))
      .div(scale);
  const results = (
    [
      ["float64", 1e-14],
      ["float32", 5e-7],
    ] as const
  ).map(([dtype, tolerance]) => {
    const moved = drift(h.cast(dtype));
    return { part: `moments in ${dtype}`, tolerance, moved };
  });
  const [fine, coarse] = results as [(typeof results)[0], (typeof results)[0]];
  const zeros = (x: Tensor): Tensor => x.mul(0);
  const one = checkAgreement("PreservedFunctionals", fine.tolerance, [
    [fine.part, fine.moved, zeros(fine.moved)],
  ]);
  const two = checkAgreement("PreservedFunctionals", coarse.tolerance, [
    [coarse.part, coarse.moved, zeros(coarse.moved)],
  ]);
  return one.passed ? { ...two, parts: [...one.parts, ...two.parts] } : one;
}

const atEightByEight = (form: Form) => (): readonly Sample[] => [
  {
    f: (h) => layerOf(form, 8, 8).forward(h!),
    inputs: [stack([1, 2, 3, 4].map((seed) => state(form, 8, 8, seed)))],
  },
];

const formRow = (form: Form): Row =>
  layerRow(
    `moment-rank2, form ${form}`,
    "idea",
    ["moment-rank2 MomentPreservingTruncation", `moment-rank2 form ${form}`],
    {
      samples: formSamples(form),
      records: "compressMatrices",
      real: atEightByEight(form),
      float32At: atEightByEight(form),
      batch: () => ({
        f: (h) => layerOf(form, 8, 8).forward(h!),
        singles: [1, 2, 3].map((seed) => [state(form, 8, 8, seed)]),
      }),
      further: {
        2: [
          property("fused against composed", formSamples(form), ({ f, inputs }) => {
            const [rows, columns] = inputs[0]!.shape as [number, number];
            const twin: Sample["f"] = (h) => layerOf(form, rows, columns).composed(h!);
            return checkSameFunction(f, inputs, { twin, tolerance: 1e-12 });
          }),
        ],
        6: [property(refusal, formSamples(form), ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
        7: [
          check("the four moments are kept", () => keepsMoments(layerOf(form, 8, 8))),
          check("reference = simd on states of a model", () =>
            checkKernelSets((h) => layerOf(form, 8, 8, { bound: 8 }).forward(h!), [states(37)]),
          ),
          check(
            form === "A" ? "never further from H than plain truncation" : "moments alone stay as they are",
            () => staysClose(form),
          ),
        ],
      },
      reasons: { 0: notWhole, 6: refusal, 8: noOutside, 10: untrained },
    },
  );

/** ‖H − C_A‖² = ‖H − T‖² − ‖P(H − T)‖²; and form B leaves alone what has nothing but moments, 0 too. */
function staysClose(form: Form): LawResult {
  const h = states(16);
  const layer = layerOf(form, 8, 8);
  const squared = (x: Tensor): Tensor => x.square().sum([1, 2]);
  const c = layer.forward(h);
  if (form === "B") {
    const known = layer.projector.project(h);
    return checkAgreement("Exactness", 1e-13, [
      ["C(P(H)) = P(H)", layer.forward(known), known],
      ["C(0) = 0", layer.forward(h.mul(0)), h.mul(0)],
    ]);
  }
  const error = h.sub(truncateRank(h, { rank, bound: Infinity }));
  const expected = squared(error).sub(squared(layer.projector.project(error)));
  return checkAgreement("Pythagoras", 1e-12, [["‖H − C‖²", squared(h.sub(c)), expected]]);
}

/** G less its part in what was left out on both sides: the projection on the tangent space at T_r(H). */
function tangentFormula(h: Tensor, g: Tensor): Tensor {
  const { u, v } = svd(h);
  const outside = (x: Tensor): Tensor => {
    const kept = x.slice([null, [0, rank]]);
    return kept.matmul(kept.transpose());
  };
  const left = g.sub(outside(u).matmul(g));
  return g.sub(left.sub(left.matmul(outside(v))));
}

const truncationSamples = (gradient: TruncationGradient) =>
  seeded({ size: sizes }, ({ size: [rows, columns] }, seed) => ({
    f: (h) => truncateRank(h!, { rank, gradient, bound: Infinity }),
    inputs: [spectral(seed, "h", rows, columns)],
  }));

const truncationAt = (gradient: TruncationGradient) => (): readonly Sample[] => [
  {
    f: (h) => truncateRank(h!, { rank, gradient, bound: Infinity }),
    inputs: [stack([1, 2, 3, 4].map((seed) => spectral(seed, "h", 8, 8)))],
  },
];

const bySvd = (h: Tensor): Tensor => {
  const { u, s, v } = svd(h);
  const columns = [0, rank] as const;
  return u
    .slice([null, columns])
    .mul(s.slice([columns]))
    .matmul(v.slice([null, columns]).transpose());
};

const surrogate = "not the derivative, by design: what it is instead is checked beside this";

function truncationRow(gradient: TruncationGradient): Row {
  const samples = truncationSamples(gradient);
  const derivative = gradient === "exact";
  return layerRow(
    derivative ? "truncateRank" : `truncateRank, ${gradient}`,
    "idea",
    ["moment-rank2 truncateRank", `moment-rank2 gradient ${gradient}`],
    {
      samples,
      records: "compressMatrices",
      ...(derivative && { real: truncationAt(gradient) }),
      float32At: truncationAt(gradient),
      batch: () => ({
        f: (h) => truncateRank(h!, { rank, gradient }),
        singles: [1, 2, 3].map((seed) => [normals(stream(seed, "h"), [8, 8])]),
      }),
      further: {
        2: [
          property("the part of the singular value decomposition that is kept", samples, ({ f, inputs }) =>
            checkAgreement("Twin", 1e-12, [["value", f(...inputs), bySvd(inputs[0]!)]]),
          ),
        ],
        3: derivative
          ? []
          : [
              property("the gradient is its formula", samples, ({ f, inputs }) =>
                surrogateGradient(gradient, f, inputs),
              ),
            ],
        5: derivative
          ? []
          : [
              property("the forward derivative is its own transpose", samples, ({ f, inputs }) =>
                selfAdjoint(f, inputs),
              ),
            ],
        6: [
          gradient === "straight-through"
            ? check("its gradient is constant", () =>
                surrogateGradient(
                  gradient,
                  truncationAt(gradient)()[0]!.f,
                  truncationAt(gradient)()[0]!.inputs,
                ),
              )
            : property(refusal, samples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs)),
        ],
      },
      reasons: {
        0: notWhole,
        ...(!derivative && { 3: surrogate, 5: surrogate }),
        6: refusal,
        8: noOutside,
        10: untrained,
      },
    },
  );
}

function surrogateGradient(
  gradient: TruncationGradient,
  f: Sample["f"],
  inputs: readonly Tensor[],
): LawResult {
  const [h] = inputs as [Tensor];
  const twin: Sample["f"] = (x) => {
    const value = f(h).detach();
    const moved = gradient === "tangent" && h.rank === 2 ? tangentFormula(h, x!.sub(h)) : x!.sub(h);
    return value.add(moved);
  };
  return checkSameFunction(f, [h], { twin, tolerance: 1e-12 });
}

/** Both surrogates are self-adjoint: J·v of a direction is Jᵀ·v. */
function selfAdjoint(f: Sample["f"], inputs: readonly Tensor[]): LawResult {
  const [h] = inputs as [Tensor];
  const v = normals(generator("direction"), h.shape);
  return checkAgreement("SelfAdjoint", 1e-12, [
    ["J·v = Jᵀ·v", jvp(f, [h], [v]).tangent, vjp(f, h).pullback(v)[0]!],
  ]);
}

const bases = [
  gridMoments({ rows: 4, columns: 3 }),
  gridMoments({ rows: 2, columns: 5 }),
  gridMoments({ rows: 3, columns: 3, weight: { rows: [1, 2, 0.5], columns: [0.5, 1, 3] } }),
  randomMoments(generator("basis"), { rows: 4, columns: 4 }),
];

const projectorSamples = seeded(
  { basis: bases, method: ["project", "remove"] as const },
  ({ basis, method }, seed) => {
    const projector = new MomentProjector(basis);
    return {
      f: (h) => projector[method](h!),
      inputs: [normals(stream(seed, "h"), [2, basis.rows, basis.columns])],
    };
  },
);

const tensorOf = (values: Float64Array, ...shape: number[]): Tensor => tensor(values, { shape });

/** P² = P, and with S the scale of a weight ⟨S∘P X, S∘Y⟩ = ⟨S∘X, S∘P Y⟩; the basis is orthonormal, and its moments are those of H. */
const projects = check("an orthogonal projector on an orthonormal basis", () =>
  bases.map((basis) => {
    const projector = new MomentProjector(basis);
    const [x, y] = ["x", "y"].map((name) => normals(stream(1, name), [basis.rows, basis.columns])) as [
      Tensor,
      Tensor,
    ];
    const square = basis.scale ? tensorOf(basis.scale, basis.rows, basis.columns).square() : x.mul(0).add(1);
    const inner = (a: Tensor, b: Tensor): Tensor => a.mul(b).mul(square).sum();
    const elements = tensorOf(basis.elements, basis.count, basis.rows * basis.columns);
    return checkAgreement("Projector", 1e-13, [
      ["P(P(H)) = P(H)", projector.project(projector.project(x)), projector.project(x)],
      ["⟨P X, Y⟩ = ⟨X, P Y⟩", inner(projector.project(x), y), inner(x, projector.project(y))],
      ["E Eᵀ = I", elements.matmul(elements.transpose()), eye(basis.count).cast("float64")],
      ["moments of P(H)", projector.moments(projector.project(x)), projector.moments(x)],
      ["H without its moments has none", projector.moments(projector.remove(x)), projector.moments(x).mul(0)],
    ]);
  }),
);

const projectorRow = layerRow(
  "MomentProjector",
  "idea",
  ["moment-rank2 MomentProjector", "moment-rank2 gridMoments", "moment-rank2 randomMoments"],
  {
    samples: projectorSamples,
    records: "matmul",
    real: () => [
      {
        f: (h) => new MomentProjector(gridMoments({ rows: 8, columns: 8 })).project(h!),
        inputs: [states(512)],
      },
    ],
    float32At: () => [
      {
        f: (h) => new MomentProjector(gridMoments({ rows: 8, columns: 8 })).project(h!),
        inputs: [states(64)],
      },
    ],
    further: { 7: [projects] },
    reasons: {
      0: notWhole,
      2: "two products, whose row matmul has the level",
      8: "two products, whose row matmul has the oracle",
      10: untrained,
    },
  },
);

const weighted = { rows: 4, columns: 4, weight: { rows: [1, 2, 1, 0.5], columns: [0.5, 1, 2, 1] } };

const weightedRow = layerRow("moment-rank2, weighted", "idea", ["moment-rank2 MomentPreservingTruncation"], {
  samples: seeded({ form: ["A", "B"] as const }, ({ form }, seed) => ({
    f: (h) => layerOf(form, 4, 4, { grid: weighted }).forward(h!),
    inputs: [state(form, 4, 4, seed)],
  })),
  records: "compressMatrices",
  real: () => [
    {
      f: (h) => layerOf("B", 4, 4, { grid: weighted }).forward(h!),
      inputs: [stack([1, 2, 3].map((seed) => state("B", 4, 4, seed)))],
    },
  ],
  further: {
    6: [
      check(refusal, () =>
        checkSecondOrderRefused(
          (h) => layerOf("B", 4, 4, { grid: weighted }).forward(h!),
          [state("B", 4, 4, 1)],
        ),
      ),
    ],
    7: [
      check("the moments are kept", () => {
        const layer = layerOf("B", 4, 4, { grid: weighted });
        const h = normals(generator("weighted"), [16, 4, 4]);
        return checkAgreement("PreservedFunctionals", 1e-13, [
          ["moments", layer.projector.moments(layer.forward(h)), layer.projector.moments(h)],
        ]);
      }),
    ],
  },
  reasons: { 0: notWhole, 2: "composed of operations itself", 6: refusal, 8: noOutside, 10: untrained },
});

export const momentRank2Rows: readonly Row[] = [
  formRow("A"),
  formRow("B"),
  weightedRow,
  truncationRow("exact"),
  truncationRow("tangent"),
  truncationRow("straight-through"),
  projectorRow,
];
