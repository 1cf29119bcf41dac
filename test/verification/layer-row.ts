import fc from "fast-check";
import type { Tensor } from "../../src/autograd/index.js";
import { checkBatch } from "../../src/testing/index.js";
import { checkRelativeFloat32 } from "./checks/relative-float32.js";
import { checkSecondOrderOfFused } from "./checks/second-order-of-fused.js";
import { operationRow, type Subject } from "./operation-row.js";
import type { SubjectClass } from "./policy.js";
import { check, property, type Row } from "./row.js";
import type { Function, Sample } from "./sample.js";

/** How a layer, a loss or a form of an idea is verified: as a function of its inputs and parameters. */
export interface LayerSubject extends Subject {
  /** Level 4: the largest error in float32 of value and gradients, relative to the largest entry of each. 1e-5 when left out. */
  readonly float32?: number;
  /** Level 4: further uses at which the same holds, such as 50 steps of a GRU. */
  readonly float32At?: () => readonly Sample[];
  /** Level 6: its first gradient has a kernel of its own. */
  readonly fused?: boolean;
  /** Level 7: a function of one input, with the batch before its axes or without one, and its singles. */
  readonly batch?: () => { readonly f: Function; readonly singles: readonly (readonly Tensor[])[] };
}

const relative = "float32 against float64, relative to the largest entry";

/** The row of such a subject: the levels of an operation, with float32 gradients measured against the largest entry. */
export function layerRow(
  name: string,
  subjectClass: SubjectClass,
  covers: readonly string[],
  subject: LayerSubject,
): Row {
  const { samples, float32 = 1e-5, float32At, fused = false, batch, further = {}, reasons = {} } = subject;
  const measured = reasons[4] !== undefined;
  return operationRow(name, subjectClass, covers, {
    ...subject,
    reasons: {
      4: "measured relative to the largest entry",
      ...(fused && { 6: "of a kernel and operations that round otherwise" }),
      ...reasons,
    },
    further: {
      ...further,
      6: [
        ...(fused
          ? [property("second derivatives", samples, ({ f, inputs }) => checkSecondOrderOfFused(f, inputs))]
          : []),
        ...(further[6] ?? []),
      ],
      4: [
        ...(measured
          ? []
          : [
              property(relative, samples, ({ f, inputs }) =>
                checkRelativeFloat32(f, inputs, float32, { orOperands: true }),
              ),
            ]),
        ...(float32At
          ? [
              check(`${relative}, at real sizes`, () =>
                float32At().map(({ f, inputs }) => checkRelativeFloat32(f, inputs, float32)),
              ),
            ]
          : []),
        ...(further[4] ?? []),
      ],
      7: [
        ...(batch
          ? [
              check("batch = stack of singles", () => {
                const { f, singles } = batch();
                return checkBatch(f, singles);
              }),
            ]
          : []),
        ...(further[7] ?? []),
      ],
    },
  });
}

/** Samples made from a seed and sizes. */
export function seeded<T extends Record<string, readonly unknown[]>>(
  choices: T,
  make: (sizes: { readonly [K in keyof T]: T[K][number] }, seed: number) => Sample,
): fc.Arbitrary<Sample> {
  const parts = Object.fromEntries(
    Object.entries(choices).map(([name, values]) => [name, fc.constantFrom(...values)]),
  );
  return fc
    .tuple(fc.record(parts) as fc.Arbitrary<{ [K in keyof T]: T[K][number] }>, fc.nat(2 ** 31 - 1))
    .map(([sizes, seed]) => make(sizes, seed));
}
