import type fc from "fast-check";
import type { Tensor } from "../../../../src/autograd/index.js";
import {
  composedCausalPivotedAttention,
  residualPivotedAttention,
  type AttentionOptions,
} from "../../../../src/ideas/residual-pivoted/index.js";
import { checkSameFunction } from "../../../../src/testing/index.js";
import { Comparison } from "../../../../src/testing/comparison.js";
import { checkSecondOrderRefused } from "../../checks/second-order-refused.js";
import { layerRow, seeded } from "../../layer-row.js";
import { normals, stream } from "../../module-sample.js";
import { check, property, type Row } from "../../row.js";
import type { Function, Sample } from "../../sample.js";

const options = { rank: 3, chunk: 3, causal: true } satisfies AttentionOptions;
const notWhole = "exponentials of whole numbers are not whole";
const noOutside = "no other library has it; the row composedCausalPivotedAttention is its formula";
const untrained = "trained by the bench; pivots that fall otherwise make another model";
const refusal = "its pivots are held and its second derivative is refused; the composed form has one";

function inputsOf(leading: readonly number[], tokens: number, width: number, seed: number): Tensor[] {
  return [
    normals(stream(seed, "q"), [...leading, tokens, width], 0.7),
    normals(stream(seed, "k"), [...leading, tokens, width], 0.7),
    normals(stream(seed, "v"), [...leading, tokens, 2]),
  ];
}

interface Held extends Sample {
  readonly held: Int32Array;
  readonly events: number;
}

function withHeld(inputs: readonly Tensor[], given: AttentionOptions, seed: number): Held {
  const [q, k, v] = inputs as [Tensor, Tensor, Tensor];
  const { statistics } = residualPivotedAttention(q, k, v, { ...given, rng: stream(seed, "pivots") });
  const held = statistics.pivots;
  return {
    events: statistics.floored + statistics.clamped,
    f: (q, k, v) => residualPivotedAttention(q!, k!, v!, { ...given, held }).output,
    inputs: [...inputs],
    held,
  };
}

/** The first sample of the real size in which nothing is floored or clamped. */
function withoutEvents(given: AttentionOptions): Held {
  for (let seed = 0; ; seed++) {
    const sample = withHeld(inputsOf([2], 64, 4, seed), given, seed);
    if (sample.events === 0) return sample;
  }
}

/** Samples in which nothing is floored or clamped and no pivots repeat one another: see the rows of the other form. */
const samples: fc.Arbitrary<Sample> = seeded(
  { leading: [[], [2]], tokens: [4, 5, 6], width: [2, 3] } as const,
  ({ leading, tokens, width }, seed) =>
    withHeld(inputsOf(leading, tokens, width, seed), { ...options, ridge: 0.05 }, seed),
).filter((sample) => {
  const { events, held } = sample as unknown as Held;
  return events === 0 && !held.includes(-1);
});

const composedOf =
  (held: Int32Array, ridge = 0): Function =>
  (q, k, v) =>
    composedCausalPivotedAttention(q!, k!, v!, held, { chunk: 3, ridge });

const composedSamples: fc.Arbitrary<Sample> = samples.map((sample) => ({
  ...sample,
  f: composedOf((sample as Held).held, 0.05),
}));

/** What a later token holds changes no bit, with the pivots chosen again. */
const unseen = check("later tokens change no bit", () =>
  [0, 1, 2].map((seed) => {
    const comparison = new Comparison("Unseen");
    const inputs = inputsOf([2], 9, 3, seed);
    const run = (at: readonly Tensor[]): Tensor => {
      const [q, k, v] = at as [Tensor, Tensor, Tensor];
      const { output } = residualPivotedAttention(q, k, v, { ...options, rng: stream(seed, "pivots") });
      return output.slice([null, [0, 5]]);
    };
    const later = normals(stream(seed, "one"), [9, 1], 1).mul(0).add(1).cumsum(0).greater(5);
    comparison.bits(
      "the output before them",
      run(inputs.map((x) => x.where(later.logicalNot(), NaN))),
      run(inputs),
    );
    return comparison.result();
  }),
);

export const causalPivotedRows: readonly Row[] = [
  layerRow("residual-pivoted, causal", "idea", ["residual-pivoted residualPivotedAttention"], {
    samples,
    records: "causalPivotedAttention",
    real: () => [withoutEvents({ ...options, rank: 24, chunk: 16 })],
    further: {
      2: [
        property("fused against composed", samples, ({ f, inputs, ...sample }) =>
          checkSameFunction(f, inputs, {
            twin: composedOf((sample as unknown as Held).held, 0.05),
            tolerance: 1e-9,
          }),
        ),
      ],
      6: [property(refusal, samples, ({ f, inputs }) => checkSecondOrderRefused(f, inputs))],
      7: [unseen],
    },
    reasons: { 0: notWhole, 6: refusal, 8: noOutside, 10: untrained },
  }),
  layerRow("composedCausalPivotedAttention", "idea", ["residual-pivoted composedCausalPivotedAttention"], {
    samples: composedSamples,
    records: "solveTriangular",
    real: () => [
      {
        f: (q, k, v) =>
          composedCausalPivotedAttention(q!, k!, v!, Int32Array.of(0, 40, 20, 33, 3, 60, 50, 7), {
            chunk: 32,
            ridge: 0.01,
            refresh: "chunk",
          }),
        inputs: inputsOf([4], 64, 8, 1),
      },
    ],
    reasons: { 0: notWhole, 2: "the form that the fused one is compared with", 8: noOutside, 10: untrained },
  }),
];
