import type fc from "fast-check";
import { matmul, tensor, type Tensor } from "../../../../src/autograd/index.js";
import {
  composedPivotedAttention,
  pivotLaws,
  residualPivotedAttention,
  type AttentionOptions,
  type PivotLaw,
} from "../../../../src/ideas/residual-pivoted/index.js";
import { pointsOf, randomProblem } from "../../../../src/ideas/residual-pivoted/evidence/problem.js";
import { exponentialSubject } from "../../../../src/ideas/residual-pivoted/evidence/subject.js";
import { traceIdentity } from "../../../../src/ideas/residual-pivoted/evidence/trace-identity.js";
import { symmetricEigenvalues } from "../../../../src/ideas/residual-pivoted/spectrum/symmetric-eigenvalues.js";
import { generator } from "../../../../src/random/index.js";
import { checkSameFunction, type LawResult } from "../../../../src/testing/index.js";
import { Comparison } from "../../../../src/testing/comparison.js";
import { checkAgreement } from "../../checks/agreement.js";
import { checkKernelSets } from "../../checks/kernel-sets.js";
import { checkSecondOrderRefused } from "../../checks/second-order-refused.js";
import { leastPivot } from "../../../ideas/residual-pivoted/least-pivot.js";
import { causalPivotedRows } from "./causal-pivoted.js";
import { layerRow, seeded, type LayerSubject } from "../../layer-row.js";
import { normals, stream } from "../../module-sample.js";
import { check, property, type Row } from "../../row.js";
import type { Function, Sample } from "../../sample.js";

const notWhole = "exponentials of whole numbers are not whole";
const noOutside = "no other library has it; the row composedPivotedAttention is its formula";
const untrained = "trained by the bench; pivots that fall otherwise make another model";
const refusal = "its pivots are held and its second derivative is refused; the composed form has one";

interface Sizes {
  readonly leading: readonly number[];
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly channels: number;
}

function inputsOf(
  { leading, queries, keys, width, channels }: Sizes,
  spread: number,
  seed: number,
): Tensor[] {
  return [
    normals(stream(seed, "q"), [...leading, queries, width], spread),
    normals(stream(seed, "k"), [...leading, keys, width], spread),
    normals(stream(seed, "v"), [...leading, keys, channels]),
  ];
}

/** A sample, and how many normalisers and outputs were replaced in it: constants of the gradient, which differences are not. */
interface Held extends Sample {
  readonly held: Int32Array;
  readonly events: number;
}

const withoutEvents = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  samples.filter((sample) => (sample as Held).events === 0);

/** Pivots that are not nearly the same point: what a block of such loses in float32 is more than the ladder allows. */
const apart = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  samples.filter(({ inputs, ...sample }) => {
    const [q, k] = inputs as [Tensor, Tensor];
    const held = (sample as Held).held.filter((row) => row >= 0);
    return held.length === (sample as Held).held.length && leastPivot(q, k, held) > 0.05;
  });

/** How many normalisers and outputs are replaced with these pivots. */
function eventsAt([q, k, v]: readonly Tensor[], options: AttentionOptions): number {
  const { floored, clamped } = residualPivotedAttention(q!, k!, v!, options).statistics;
  return floored + clamped;
}

/** The pivots that the law draws at these inputs; held while a derivative is taken. */
const heldAt = (inputs: readonly Tensor[], options: AttentionOptions, seed: number): Int32Array =>
  residualPivotedAttention(inputs[0]!, inputs[1]!, inputs[2]!, { ...options, rng: stream(seed, "pivots") })
    .statistics.pivots;

function withHeld(sizes: Sizes, spread: number, options: AttentionOptions, seed: number): Held {
  const inputs = inputsOf(sizes, spread, seed);
  const held = heldAt(inputs, options, seed);
  return {
    events: eventsAt(inputs, { ...options, held }),
    f: (q, k, v) => residualPivotedAttention(q!, k!, v!, { ...options, held }).output,
    inputs,
    held,
  };
}

const choices = {
  leading: [[], [2]],
  queries: [3, 5],
  keys: [4, 6],
  width: [2, 3],
  channels: [1, 2],
  spread: [0.5, 1],
} as const;

const heldSamples = (options: AttentionOptions) =>
  apart(
    withoutEvents(seeded(choices, ({ spread, ...sizes }, seed) => withHeld(sizes, spread, options, seed))),
  );

const realSize: Sizes = { leading: [4, 4], queries: 64, keys: 64, width: 16, channels: 16 };
const atRealSize = (options: AttentionOptions) => (): readonly Sample[] => [
  withHeld(realSize, 1, options, 1),
];

const drawing =
  (options: AttentionOptions): Function =>
  (q, k, v) =>
    residualPivotedAttention(q!, k!, v!, { ...options, rng: generator(7) }).output;

/** Against the composed attention, for problems of which none stops before the rank asked for. */
const asComposed = (options: AttentionOptions): NonNullable<LayerSubject["further"]>[2] => [
  property(
    "fused against composed",
    seeded(choices, ({ spread, ...sizes }, seed) => {
      const { held, ...sample } = withHeld(sizes, spread, options, seed);
      const naive: Function = (q, k, v) => composedPivotedAttention(q!, k!, v!, held, options.ridge ?? 0);
      return held.includes(-1) ? sample : { ...sample, naive };
    }),
    ({ f, naive, inputs }) => (naive ? checkSameFunction(f, inputs, { twin: naive, tolerance: 1e-9 }) : []),
  ),
];

/** E[tr R − tr R′] = ‖R‖²_F / tr R at every rank, exactly over all pivots, relative to tr K. */
function traceDecreases(single: boolean, tolerance: number): LawResult {
  const comparison = new Comparison("TraceDecrease");
  const part = `expected decrease of the trace in ${single ? "float32" : "float64"}`;
  for (let seed = 0; seed < 8; seed++) {
    const size = { queries: 6, keys: 7, width: 3, channels: 2 };
    const subject = exponentialSubject(pointsOf(randomProblem(size, single, 1, stream(seed, "kernel"))));
    for (const cell of traceIdentity(subject, 6, "exp", stream(seed, "elimination"))) {
      comparison.error(part, tolerance, Math.abs(cell.expected - cell.predicted), () => ({
        where: `rank ${cell.rank}`,
        expected: cell.predicted,
        found: cell.expected,
      }));
    }
  }
  return comparison.result();
}

/** Â of the layer itself, from the values of unit vectors, times the exact normaliser it divides by. */
function approximation(x: Tensor, options: AttentionOptions): { approximate: Tensor; exact: Tensor } {
  const [n] = x.shape as [number, number];
  const unit = tensor(
    Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0)),
    { shape: [n, n] },
  );
  const { output } = residualPivotedAttention(x, x, unit, { ...options, rng: generator(3) });
  const weights = matmul(x, x.transpose())
    .mul(1 / Math.sqrt(x.shape[1]!))
    .softmax(-1);
  return { approximate: output, exact: weights };
}

const converges = (law: PivotLaw) =>
  check("as many pivots as points give exact attention", () =>
    [0.7, 1.5].map((spread) => {
      const x = normals(stream(4, "x"), [7, 3], spread);
      const { approximate, exact } = approximation(x, { rank: 14, pivots: law });
      return checkAgreement("Exact", 1e-9, [["weights", approximate, exact]]);
    }),
  );

const promises = (options: AttentionOptions): NonNullable<LayerSubject["further"]>[7] => [
  check("reference = simd while pivots are drawn", () =>
    [1, 2, 3].map((seed) =>
      checkKernelSets(
        drawing(options),
        inputsOf({ ...realSize, leading: [2], queries: 21, keys: 19 }, 1, seed),
      ),
    ),
  ),
  check("outputs are within the range of the values", () => {
    const comparison = new Comparison("Range");
    for (let seed = 0; seed < 6; seed++) {
      const inputs = inputsOf({ leading: [], queries: 9, keys: 11, width: 4, channels: 3 }, 2, seed);
      const out = drawing(options)(...inputs);
      const beyond = (far: Tensor): number => Math.max(0, ...far.values());
      const low = inputs[2]!.min(0).sub(out);
      const high = out.sub(inputs[2]!.max(0));
      comparison.error("beyond the range", 0, Math.max(beyond(low), beyond(high)), () => ({
        where: `seed ${seed}`,
        expected: "least value ≤ output ≤ largest value",
        found: Math.max(beyond(low), beyond(high)),
      }));
    }
    return comparison.result();
  }),
];

const lawRow = (law: PivotLaw): Row => {
  const options: AttentionOptions = { pivots: law, rank: 3 };
  return layerRow(
    `residual-pivoted, ${law} pivots`,
    "idea",
    ["residual-pivoted residualPivotedAttention", `residual-pivoted pivots ${law}`],
    {
      samples: heldSamples(options),
      records: "residualPivotedAttention",
      real: atRealSize({ ...options, rank: 8 }),
      further: {
        2: asComposed(options),
        6: [property(refusal, heldSamples(options), ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
        7: [
          ...promises(options)!,
          converges(law),
          ...(law === "exp"
            ? [
                check("the expected decrease of the trace", () => [
                  traceDecreases(false, 1e-12),
                  traceDecreases(true, 1e-6),
                ]),
              ]
            : []),
        ],
      },
      reasons: { 0: notWhole, 6: refusal, 8: noOutside, 10: untrained },
    },
  );
};

const ridged: AttentionOptions = { rank: 3, ridge: 0.05 };

const bools = (shape: readonly number[], seed: number): Tensor => {
  const rng = stream(seed, "mask");
  const size = shape.reduce((a, b) => a * b, 1);
  const tokens = shape.at(-1)!;
  return tensor(
    Uint8Array.from({ length: size }, (_, i) => (i % tokens === 0 || rng.uniform() < 0.6 ? 1 : 0)),
    {
      shape: [...shape],
      dtype: "bool",
    },
  );
};

const maskedSamples = withoutEvents(
  seeded(choices, ({ spread, ...sizes }, seed) =>
    withHeld(
      sizes,
      spread,
      {
        rank: 3,
        queryMask: bools([...sizes.leading, sizes.queries], seed),
        keyMask: bools([...sizes.leading, sizes.keys], seed + 1),
      },
      seed,
    ),
  ),
);

/** Masked tokens change no bit, whatever they hold. */
const unread = check("masked tokens change no bit", () =>
  [0, 1, 2].map((seed) => {
    const comparison = new Comparison("Unread");
    const inputs = inputsOf({ leading: [2], queries: 5, keys: 6, width: 3, channels: 2 }, 1, seed);
    const keyMask = bools([2, 6], seed);
    const options = { rank: 3, keyMask };
    const keep = keyMask.unsqueeze(-1);
    const [q, k, v] = inputs as [Tensor, Tensor, Tensor];
    const run = (k: Tensor, v: Tensor): Tensor =>
      residualPivotedAttention(q, k, v, { ...options, rng: generator(1) }).output;
    comparison.bits("the output", run(k.where(keep, NaN), v.where(keep, NaN)), run(k, v));
    return comparison.result();
  }),
);

const composedSamples = apart(
  withoutEvents(
    seeded({ queries: [3, 4], keys: [3, 4], width: [2, 3], channels: [1, 2] }, (sizes, seed): Held => {
      const inputs = inputsOf({ leading: [], ...sizes }, 0.7, seed);
      const held = Int32Array.of(0, sizes.queries + 1);
      return {
        f: (q, k, v) => composedPivotedAttention(q!, k!, v!, held),
        inputs,
        held,
        events: eventsAt(inputs, { rank: held.length, held }),
      };
    }),
  ),
);

/** K − Â of the composed form has no negative eigenvalue: Â from unit values, times the normaliser. */
const residualIsPositive = check("the residual is positive semidefinite", () => {
  const comparison = new Comparison("PositiveSemidefinite");
  for (let seed = 0; seed < 6; seed++) {
    const n = 6;
    const x = normals(stream(seed, "x"), [n, 3], 0.8);
    const centred = x.sub(x.mean(0, { keepDims: true }));
    const kernel = matmul(centred, centred.transpose())
      .mul(1 / Math.sqrt(3))
      .exp();
    const pivots = [1, 4];
    const chosen = tensor(Int32Array.from(pivots));
    const columns = kernel.gather(chosen, 1);
    const lower = columns.gather(chosen, 0).cholesky();
    const factor = lower.solveTriangular(columns.transpose());
    const residual = kernel.sub(matmul(factor.transpose(), factor));
    const least = Math.min(...symmetricEigenvalues(Float64Array.from(residual.values()), n));
    comparison.error("least eigenvalue below 0, of the trace", 1e-14, Math.max(0, -least) / n, () => ({
      where: `seed ${seed}`,
      expected: "no negative eigenvalue",
      found: least,
    }));
  }
  return comparison.result();
});

export const residualPivotedRows: readonly Row[] = [
  ...causalPivotedRows,
  ...pivotLaws.map(lawRow),
  layerRow("residual-pivoted, ridge", "idea", ["residual-pivoted residualPivotedAttention"], {
    samples: heldSamples(ridged),
    records: "residualPivotedAttention",
    real: atRealSize({ rank: 8, ridge: 0.01 }),
    further: {
      2: asComposed(ridged),
      6: [property(refusal, heldSamples(ridged), ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
      7: promises(ridged)!,
    },
    reasons: { 0: notWhole, 6: refusal, 8: noOutside, 10: untrained },
  }),
  layerRow("residual-pivoted, masked", "idea", ["residual-pivoted residualPivotedAttention"], {
    samples: maskedSamples,
    records: "residualPivotedAttention",
    real: () => {
      const sizes = { ...realSize, leading: [4] };
      return [withHeld(sizes, 1, { rank: 8, keyMask: bools([4, 64], 1), queryMask: bools([4, 64], 2) }, 1)];
    },
    further: {
      6: [property(refusal, maskedSamples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
      7: [unread],
    },
    reasons: { 0: notWhole, 2: "the composed form has no masks", 6: refusal, 8: noOutside, 10: untrained },
  }),
  layerRow("composedPivotedAttention", "idea", ["residual-pivoted composedPivotedAttention"], {
    samples: composedSamples,
    records: "solveTriangular",
    real: () => [
      {
        f: (q, k, v) => composedPivotedAttention(q!, k!, v!, Int32Array.of(0, 70, 3, 90), 0.01),
        inputs: inputsOf({ leading: [], queries: 64, keys: 64, width: 8, channels: 8 }, 0.2, 1),
      },
    ],
    further: { 7: [residualIsPositive] },
    reasons: { 0: notWhole, 2: "the form that the fused one is compared with", 8: noOutside, 10: untrained },
  }),
];
