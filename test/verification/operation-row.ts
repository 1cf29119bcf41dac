import fc from "fast-check";
import { Tensor, tensor } from "../../src/autograd/index.js";
import { Comparison } from "../../src/testing/comparison.js";
import {
  checkAdjoint,
  checkBatch,
  checkBroadcasting,
  checkCorrectGradients,
  checkEqualBits,
  checkFloat32Gradients,
  checkLinearPullback,
  checkSameBits,
  checkSecondOrder,
  checkZeroCotangent,
} from "../../src/testing/index.js";
import { checkExact } from "./checks/exact.js";
import { checkFusedGradient } from "./checks/fused-gradient.js";
import { checkKernelSets } from "./checks/kernel-sets.js";
import { checkBinaryPrecision, checkUnaryPrecision, type Precision } from "./checks/precision.js";
import { promisedSlopes } from "./checks/promised-slopes.js";
import { checkRealSizeGradients } from "./checks/real-size-gradients.js";
import { checkRounding, checkTwin, type RoundingUse, type TwinUse } from "./checks/rounding.js";
import { caseChecks, casesNaming } from "./case-checks.js";
import { checkUnaliased } from "./checks/unaliased.js";
import { checkThirdOrder } from "./checks/third-order.js";
import type { LevelNumber } from "./levels.js";
import { mutantEntry } from "./mutants.js";
import { oracleChecks } from "./oracle/oracle-checks.js";
import type { SubjectClass } from "./policy.js";
import { check, notApplicable, property, type Check, type Entry, type Row } from "./row.js";
import type { Sample } from "./sample.js";

/** How an operation or a function made of some is verified. */
export interface Subject {
  readonly samples: fc.Arbitrary<Sample>;
  /** The name in the record of the operation that the samples must use; that of the row when left out. */
  readonly records?: string;
  /** Level 0: samples of whole numbers; those of `samples`, rounded away from 0, when left out. */
  readonly whole?: fc.Arbitrary<Sample>;
  /** Level 1. */
  readonly precision?: Precision;
  /** Level 2. */
  readonly rounding?: () => readonly RoundingUse[];
  readonly twins?: () => readonly TwinUse[];
  /**
   * Level 2: has a kernel for the gradient beside the rule written in operations; how far apart the two may be relative to
   * max(1, |g|∞), 0 for the same bits.
   */
  readonly fusedGradient?: number;
  /** Level 4: the float32 gradient's error in units of u·max(|g|, |cotangent|); 4 when left out. */
  readonly float32Units?: number;
  /** Level 4: a function of each element, on points from one end of its interesting range to the other. */
  readonly line?: Sample;
  /** Level 5: functions at the sizes that models use, inputs in float64. */
  readonly real?: () => readonly Sample[];
  /** Rounds to float32 on the way, so that differences and sums of gradients hold only to its precision. */
  readonly rounds?: boolean;
  /** Level 7: inputs broadcast against each other, elementwise. */
  readonly broadcasts?: boolean;
  /** Level 7: works on the last axes and treats leading ones as a batch. */
  readonly batches?: boolean;
  /** Further checks, by level. */
  readonly further?: Readonly<Partial<Record<LevelNumber, readonly Check[]>>>;
  /** Level 9: ids of test/autograd/fixtures/cases.json. */
  readonly cases?: readonly string[];
  /** Why a level says nothing. */
  readonly reasons?: Readonly<Partial<Record<LevelNumber, string>>>;
}

/** The row of an operation: every level for which its subject has something to run, or the reason why not. */
export function operationRow(
  name: string,
  subjectClass: SubjectClass,
  covers: readonly string[],
  subject: Subject,
): Row {
  const { further = {}, reasons = {}, cases = [] } = subject;
  const found: Partial<Record<LevelNumber, readonly Check[]>> = {
    0: exactChecks(subject, subjectClass === "plain"),
    1: precisionChecks(subject),
    2: roundingChecks(subject),
    ...(subjectClass === "plain" ? {} : gradientChecks(subject)),
    7: subjectClass === "plain" ? plainProperties(subject) : properties(name, subject),
    8: oracleChecks(name),
    9: caseChecks([...new Set([...cases, ...casesNaming(name)])]),
  };
  const levels: Partial<Record<LevelNumber, Entry>> = {};
  for (const level of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const) {
    const checks = [
      ...(reasons[level] === undefined ? (found[level] ?? []) : []),
      ...(further[level] ?? []),
      ...(level === 0 ? promisedSlopes(name) : []),
    ];
    if (checks.length > 0) levels[level] = checks;
    else if (reasons[level] !== undefined) levels[level] = notApplicable(reasons[level]);
  }
  if (subjectClass === "elementwise")
    levels[2] ??= notApplicable("computed in one go and composed of nothing: level 1 measures its error");
  levels[9] ??= notApplicable("no case of the collection is about it");
  levels[11] = mutantEntry(name);
  return { name, subject: subjectClass, covers, levels };
}

/** Away from 0, so that what is smooth there stays so; 0 stays 0. */
const awayFromZero = (x: Tensor): Tensor =>
  tensor(
    Float64Array.from(x.values(), (v) => Math.sign(v) * Math.ceil(Math.abs(v))),
    { shape: x.shape },
  );

function exactChecks({ samples, whole }: Subject, withoutGradient: boolean): Check[] {
  const exact = whole ?? samples.map((sample) => ({ ...sample, inputs: sample.inputs.map(awayFromZero) }));
  return [
    property("values and gradients of the naive loop", exact, (sample) =>
      sample.naive ? checkExact({ ...sample, naive: sample.naive, withoutGradient }) : [],
    ),
  ];
}

function precisionChecks({ precision, samples }: Subject): Check[] {
  if (!precision) return [];
  const [{ f, inputs }] = fc.sample(samples, { numRuns: 1, seed: 1 }) as [Sample];
  return [
    check("float32 against float64 over the whole range", () =>
      inputs.length === 1 ? checkUnaryPrecision(f, precision) : checkBinaryPrecision(f, precision),
    ),
  ];
}

function roundingChecks({ rounding, twins, fusedGradient, samples, real }: Subject): Check[] {
  return [
    ...(rounding ? [check("float32 against float64", () => rounding().map(checkRounding))] : []),
    ...(twins ? [check("fused against composed", () => twins().map(checkTwin))] : []),
    ...(fusedGradient === undefined
      ? []
      : [
          property("fused gradient against composed", samples, ({ f, inputs }) =>
            checkFusedGradient(f, inputs, fusedGradient),
          ),
          check("fused gradient against composed at real sizes", () =>
            real!().map(({ f, inputs }) => checkFusedGradient(f, inputs, fusedGradient)),
          ),
        ]),
  ];
}

function gradientChecks(subject: Subject): Partial<Record<LevelNumber, readonly Check[]>> {
  const { samples, float32Units, broadcasts, line, real, rounds } = subject;
  return {
    3: [
      property("gradient against differences", samples, ({ f, inputs }) => checkCorrectGradients(f, inputs)),
    ],
    4: [
      property("float32 gradient against float64", samples, ({ f, inputs }) =>
        checkFloat32Gradients(f, inputs, { units: float32Units, elementwise: broadcasts }),
      ),
      ...(line
        ? [
            check("float32 gradient on the whole line", () =>
              checkFloat32Gradients(line.f, line.inputs, { elementwise: true }),
            ),
          ]
        : []),
      ...(real
        ? [
            check("float32 gradient against float64 at real sizes", () =>
              real().map(({ f, inputs }) => checkRealSizeGradients(f, inputs)),
            ),
          ]
        : []),
    ],
    5: [
      ...(rounds
        ? []
        : [property("adjoint of small inputs", samples, ({ f, inputs }) => checkAdjoint(f, inputs))]),
      ...(rounds || !real ? [] : [realSizes(real, "float64")]),
      ...(real ? [realSizes(real, "float32")] : []),
    ],
    6: [
      property("second derivatives", samples, ({ f, inputs }) => checkSecondOrder(f, inputs)),
      property("third derivatives", samples, ({ f, inputs }) => checkThirdOrder(f, inputs), 4),
    ],
  };
}

/**
 * ⟨J·v, w⟩ = ⟨v, Jᵀ·w⟩ at real sizes. J·v comes from the rules as well, so in float64 it is compared with differences too: a wrong
 * rule that is linear is its own adjoint.
 */
function realSizes(real: () => readonly Sample[], dtype: "float64" | "float32"): Check {
  return check(`adjoint at real sizes in ${dtype}`, () =>
    real().map(({ f, inputs }) => {
      const xs = inputs.map((x) => x.cast(dtype));
      return checkAdjoint(f, xs, { scale: "norms", differences: dtype === "float64" });
    }),
  );
}

function properties(
  name: string,
  { samples, records = name, broadcasts, batches, rounds, real }: Subject,
): Check[] {
  const notEmpty = samples.filter(({ inputs }) => inputs.every((x) => x.size > 0));
  return [
    recordsOperation(records, samples),
    ...(rounds
      ? []
      : [property("linear pullback", samples, ({ f, inputs }) => checkLinearPullback(f, inputs))]),
    property("zero cotangent", samples, ({ f, inputs }) => checkZeroCotangent(f, inputs)),
    property("same bits twice", samples, ({ f, inputs }) => checkSameBits(f, inputs)),
    property("no memory of its inputs", samples, ({ f, inputs }) => checkUnaliased(f, inputs)),
    property("reference = simd", samples, ({ f, inputs }) => checkKernelSets(f, inputs)),
    ...(real
      ? [
          check("reference = simd at real sizes", () =>
            real().map(({ f, inputs }) => checkKernelSets(f, inputs)),
          ),
        ]
      : []),
    ...(broadcasts
      ? [property("broadcast = explicit expand", samples, ({ f, inputs }) => checkBroadcasting(f, inputs))]
      : []),
    ...(batches
      ? [
          property("batch = stack of singles", notEmpty, ({ f, inputs }) =>
            checkBatch(f, [inputs, inputs.map((x) => x.mul(0.75).add(0.01)), inputs.map((x) => x.flip())]),
          ),
        ]
      : []),
  ];
}

/** Of an operation without a gradient only the value can be asked about. */
function plainProperties({ samples }: Subject): Check[] {
  return [
    property("reference = simd", samples, ({ f, inputs }) => checkKernelSets(f, inputs)),
    property("same bits twice", samples, ({ f, inputs }) => checkEqualBits(f(...inputs), f(...inputs))),
    property("no memory of its inputs", samples, ({ f, inputs }) => checkUnaliased(f, inputs)),
  ];
}

/** Among the samples there must be one that the operation is recorded by; otherwise the row would be about something else. */
function recordsOperation(name: string, samples: fc.Arbitrary<Sample>): Check {
  return check("its samples record it", () => {
    const comparison = new Comparison("Recorded");
    const used = new Set<string>();
    for (const { f, inputs } of fc.sample(samples, { numRuns: 12, seed: 1 }))
      for (const operation of recordedIn(f(...inputs.map((x) => new Tensor(x.array, true)))))
        used.add(operation);
    comparison.error("recorded", 0, used.has(name) ? 0 : Infinity, () => ({
      where: "operations recorded by the samples",
      expected: name,
      found: [...used].join(", "),
    }));
    return comparison.result();
  });
}

/** The names of the operations that a result was made by. */
function recordedIn(result: Tensor): Set<string> {
  const names = new Set<string>();
  const stack = [result];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!next.node) continue;
    names.add(next.node.op.name);
    stack.push(...next.node.inputs!);
  }
  return names;
}
