import fc from "fast-check";
import {
  argmax,
  argmin,
  equal,
  greater,
  greaterEqual,
  isFinite,
  isNaN,
  less,
  lessEqual,
  logicalAnd,
  logicalNot,
  logicalOr,
  notEqual,
  stopGradient,
  tensor,
  type Tensor,
} from "../../../../src/autograd/index.js";
import { broadcastPairs, shapes, sizeOf } from "../../../autograd/arbitraries.js";
import { wholes } from "../../../autograd/values/naive.js";
import { eachElement, eachPair, givesType, overAxes } from "../../loops.js";
import { operationRow, type Subject } from "../../operation-row.js";
import type { Row } from "../../row.js";
import type { Function, Naive, Sample } from "../../sample.js";

const pairs = broadcastPairs.chain(([a, b]) => fc.tuple(wholes(a), wholes(b)));

/** Whole numbers with what is none among them. */
const unusual = shapes().chain((shape) =>
  fc
    .array(fc.constantFrom(0, 1, -2, NaN, Infinity, -Infinity), {
      minLength: sizeOf(shape),
      maxLength: sizeOf(shape),
    })
    .map((list) => tensor(Float64Array.from(list), { shape })),
);

const used = (samples: fc.Arbitrary<Sample>, cases: readonly string[] = []): Subject => ({
  samples,
  whole: samples,
  cases,
  reasons: {
    8: "exact at level 0; at special values against NumPy's in test/autograd/values/elementwise.test.ts",
  },
});

const onPairs = (f: (a: Tensor, b: Tensor) => Tensor, loop: (a: number, b: number) => boolean): Subject => {
  const naive: Naive = givesType(
    "bool",
    eachPair((a, b) => Number(loop(a, b))),
  );
  return used(pairs.map((inputs): Sample => ({ f: (a, b) => f(a!, b!), inputs, naive })));
};

const onOne = (f: Function, loop: (x: number) => boolean): Subject => {
  const naive: Naive = givesType(
    "bool",
    eachElement((x) => Number(loop(x))),
  );
  return used(unusual.map((x): Sample => ({ f, inputs: [x], naive })));
};

const position = (
  f: (x: Tensor, axis: number | undefined, options: { keepDims: boolean }) => Tensor,
  loop: (list: number[]) => number,
): Subject =>
  used(
    shapes({ minRank: 1, minSize: 1 }).chain((shape) =>
      fc
        .tuple(
          wholes(shape),
          fc.option(fc.integer({ min: -shape.length, max: shape.length - 1 }), { nil: undefined }),
          fc.boolean(),
        )
        .map(([x, axis, keepDims]): Sample => {
          const axes = axis === undefined ? undefined : [axis];
          return {
            f: (v) => f(v!, axis, { keepDims }),
            inputs: [x],
            naive: givesType("int32", overAxes(loop, axes, keepDims)),
          };
        }),
    ),
    ["max-ties"],
  );

const subjects: Readonly<Record<string, Subject>> = {
  equal: onPairs(equal, (a, b) => a === b),
  notEqual: onPairs(notEqual, (a, b) => a !== b),
  less: onPairs(less, (a, b) => a < b),
  lessEqual: onPairs(lessEqual, (a, b) => a <= b),
  greater: onPairs(greater, (a, b) => a > b),
  greaterEqual: onPairs(greaterEqual, (a, b) => a >= b),
  logicalAnd: onPairs(logicalAnd, (a, b) => a !== 0 && b !== 0),
  logicalOr: onPairs(logicalOr, (a, b) => a !== 0 || b !== 0),
  logicalNot: onOne(
    (x) => logicalNot(x!),
    (x) => x === 0,
  ),
  isNaN: onOne((x) => isNaN(x!), Number.isNaN),
  isFinite: onOne((x) => isFinite(x!), Number.isFinite),
  argmax: position(argmax, (list) => list.indexOf(Math.max(...list))),
  argmin: position(argmin, (list) => list.indexOf(Math.min(...list))),
};

/** Its gradient is 0 exactly, although its value moves: so it has none. */
const stopped = used(
  unusual.map((x): Sample => ({ f: (v) => stopGradient(v!), inputs: [x], naive: eachElement((v) => v) })),
);

export const plainRows: readonly Row[] = [
  ...Object.entries(subjects).map(([name, subject]) =>
    operationRow(name, "plain", [`rule ${name}`, `autograd ${name}`], subject),
  ),
  operationRow("stopGradient", "plain", ["autograd stopGradient"], stopped),
];
