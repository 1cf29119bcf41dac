import fc from "fast-check";
import {
  concat,
  randomNormal,
  rules,
  slice,
  tensor,
  type Range,
  type Tensor,
} from "../../../../src/autograd/index.js";
import { apply } from "../../../../src/autograd/record.js";
import { generator } from "../../../../src/random/index.js";
import { axesOf, broadcastPairs, shapes, sizeOf, tensors } from "../../../autograd/arbitraries.js";
import { at, built } from "../../../autograd/values/naive.js";
import { added, broadcastAt, moved, reshaped } from "../../loops.js";
import { operationRow, type Subject } from "../../operation-row.js";
import type { Row } from "../../row.js";
import type { Naive, Sample } from "../../sample.js";

const rng = generator("structure at real sizes");
const draw = (...shape: number[]): Tensor => randomNormal(rng, shape, { dtype: "float64" });

/** A use of an operation and the loop that it is. */
type Use = readonly [f: (x: Tensor) => Tensor, naive: (x: Tensor) => Tensor];

/** Shapes on which several axes can be told apart: most of {@link shapes} have an axis of size 1 or 0, or one axis alone. */
const severalAxes = fc.constantFrom<number[]>([2, 3], [3, 2], [2, 3, 2], [3, 2, 4]);

/** A use of an operation on one tensor, drawn together with its shape. */
const onShape = (
  use: (shape: number[]) => fc.Arbitrary<Use>,
  shape: fc.Arbitrary<number[]> = fc.oneof(shapes(), severalAxes),
): fc.Arbitrary<Sample> =>
  shape.chain((dims) =>
    fc.tuple(tensors(dims), use(dims)).map(([x, [f, naive]]): Sample => ({
      f: (...xs) => f(xs[0]!),
      naive: (...xs) => naive(xs[0]!),
      inputs: [x],
    })),
  );

const offset = fc.integer({ min: -2, max: 2 });

const range = (length: number): fc.Arbitrary<Range> => {
  const bound = fc.option(fc.integer({ min: -length - 1, max: length + 1 }));
  const step = fc.constantFrom(1, 2, -1, -2);
  const whole: fc.Arbitrary<Range> = fc.constant(null);
  const part: fc.Arbitrary<Range> = fc.tuple(bound, bound, step);
  return length === 0
    ? fc.oneof(whole, part)
    : fc.oneof(whole, part, fc.integer({ min: -length, max: length - 1 }));
};

const indices = (length: number, count: number): fc.Arbitrary<Int32Array> =>
  fc
    .array(fc.integer({ min: 0, max: Math.max(0, length - 1) }), { minLength: count, maxLength: count })
    .map((list) => Int32Array.from(list));

const axisAndIndices = (shape: number[]): fc.Arbitrary<readonly [axis: number, list: Int32Array]> =>
  fc
    .tuple(fc.integer({ min: 0, max: shape.length - 1 }), fc.integer({ min: 0, max: 4 }))
    .chain(([axis, count]) =>
      fc.tuple(fc.constant(axis), indices(shape[axis]!, shape[axis] === 0 ? 0 : count)),
    );

const tensorOf = (list: Int32Array, shape: readonly number[]): Tensor => tensor(list, { shape });

const withAxis = shapes({ minRank: 1 });

/** takeAlongAxis reads x `[2, 3, 2]` at indices of any length along one axis. */
const alongAxis = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 3 }))
  .chain(([axis, count]) => {
    const shape = [2, 3, 2].map((length, i) => (i === axis ? count : length));
    return fc.tuple(fc.constant(axis), fc.constant(shape), indices([2, 3, 2][axis]!, sizeOf(shape)));
  });

/** Python's slice of a list of a length: the places taken. */
function placesOf(range: Range, length: number): number[] {
  if (range === null) return Array.from({ length }, (_, i) => i);
  if (typeof range === "number") return [range < 0 ? range + length : range];
  const [start, stop, step = 1] = range;
  const place = (bound: number | null | undefined, missing: number, low: number, high: number): number =>
    typeof bound === "number" ? Math.min(Math.max(bound < 0 ? bound + length : bound, low), high) : missing;
  const places: number[] = [];
  if (step > 0) {
    const end = place(stop, length, 0, length);
    for (let i = place(start, 0, 0, length); i < end; i += step) places.push(i);
  } else {
    const end = place(stop, -1, -1, length - 1);
    for (let i = place(start, length - 1, -1, length - 1); i > end; i += step) places.push(i);
  }
  return places;
}

/** Slicing by its definition; an axis with a number is dropped. */
const sliceLoop =
  (ranges: readonly Range[]): ((x: Tensor) => Tensor) =>
  (x) => {
    const places = ranges.map((range, axis) => placesOf(range, x.shape[axis]!));
    const kept = [...ranges.keys()].filter((axis) => typeof ranges[axis] !== "number");
    return built(
      kept.map((axis) => places[axis]!.length),
      (index) =>
        at(
          x,
          places.map((list, axis) => list[kept.includes(axis) ? index[kept.indexOf(axis)]! : 0]!),
        ),
    );
  };

/** x[indices] along an axis. */
const gatherLoop =
  (list: ArrayLike<number>, axis: number): ((x: Tensor) => Tensor) =>
  (x) =>
    built(
      x.shape.map((length, i) => (i === axis ? list.length : length)),
      (index) =>
        at(
          x,
          index.map((i, k) => (k === axis ? list[i]! : i)),
        ),
    );

const turned = (axes: readonly number[], rank: number): Set<number> =>
  new Set(axes.map((axis) => (axis < 0 ? axis + rank : axis)));

const subjects: Readonly<Record<string, Subject>> = {
  reshape: {
    samples: onShape((shape) => {
      const to = (wanted: number[], asked = wanted): Use => [
        (x) => x.reshape(asked),
        (x) => reshaped(x, wanted),
      ];
      const count = sizeOf(shape);
      return fc.constantFrom(
        to([1, count, 1]),
        to([...shape].reverse().concat(1)),
        count > 0 ? to([1, count, 1], [1, -1, 1]) : to([0, 1]),
      );
    }),
    real: () => [{ f: (x) => x!.reshape([32, -1, 8]), inputs: [draw(64, 80)] }],
  },
  permute: {
    samples: onShape(
      (shape) =>
        fc
          .shuffledSubarray([...shape.keys()], { minLength: shape.length, maxLength: shape.length })
          .filter((order) => order.some((axis, i) => axis !== i))
          .map((order): Use => [
            (x) => x.permute(order),
            moved(
              order.map((axis) => shape[axis]!),
              (index) => index.map((_, axis) => index[order.indexOf(axis)]!),
            ),
          ]),
      shapes({ minRank: 2 }),
    ),
    real: () => [{ f: (x) => x!.permute([2, 0, 3, 1]), inputs: [draw(8, 20, 4, 8)] }],
  },
  expand: {
    samples: broadcastPairs.chain(([from, other]) => {
      const shape = [2, ...from.map((size, i) => (size === 1 ? (other[i] ?? 3) : size))];
      return tensors(from).map((x): Sample => ({
        f: (...xs) => xs[0]!.expand(shape),
        inputs: [x],
        naive: (...xs) => built(shape, (index) => broadcastAt(xs[0]!, index)),
      }));
    }),
    float32Units: 8,
    real: () => [{ f: (x) => x!.expand([32, 20, 16]), inputs: [draw(20, 1)] }],
  },
  flip: {
    samples: onShape((shape) =>
      axesOf(shape.length).map((axes): Use => {
        const gone = turned(axes, shape.length);
        return [
          (x) => x.flip(axes),
          moved(shape, (index) => index.map((i, axis) => (gone.has(axis) ? shape[axis]! - 1 - i : i))),
        ];
      }),
    ),
    real: () => [{ f: (x) => x!.flip([0, 2]), inputs: [draw(30, 7, 20)] }],
  },
  triangle: {
    samples: onShape(
      (shape) =>
        fc.tuple(offset, fc.boolean()).map(([k, upper]): Use => [
          (x) => (upper ? x.triu(k) : x.tril(k)),
          moved(shape, (index) => {
            const [i, j] = index.slice(-2) as [number, number];
            return (upper ? j - i >= k : j - i <= k) ? index : undefined;
          }),
        ]),
      shapes({ minRank: 2 }),
    ),
    batches: true,
    real: () => [{ f: (x) => x!.tril(-1).add(x!.triu(2)), inputs: [draw(4, 30, 40)] }],
  },
  slice: {
    samples: onShape(
      (shape) =>
        fc.tuple(...shape.map(range)).map((ranges): Use => [(x) => slice(x, ranges), sliceLoop(ranges)]),
      withAxis,
    ),
    real: () => [{ f: (x) => slice(x!, [[2, -3, 2], null, [null, null, -1]]), inputs: [draw(40, 6, 20)] }],
  },
  unslice: {
    reasons: { 8: "PyTorch has no such function; it is the transpose of slice, which has" },
    samples: tensors([2, 2]).map((x): Sample => ({
      f: (...xs) =>
        apply(rules.unslice, [xs[0]!], { starts: [3, 0], lengths: [2, 2], steps: [-2, 1], shape: [4, 3] }),
      inputs: [x],
      naive: added([4, 3], ([i, j]) => [3 - 2 * i!, j!]),
    })),
    float32Units: 8,
    real: () => [
      {
        f: (x) =>
          apply(rules.unslice, [x!], { starts: [39, 1], lengths: [20, 30], steps: [-2, 1], shape: [40, 33] }),
        inputs: [draw(20, 30)],
      },
    ],
  },
  concat: {
    samples: fc
      .tuple(shapes({ minRank: 1 }), fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 }))
      .chain(([shape, lengths]) =>
        fc
          .integer({ min: 0, max: shape.length - 1 })
          .chain((axis) =>
            fc
              .tuple(
                ...lengths.map((length) => tensors(shape.map((size, i) => (i === axis ? length : size)))),
              )
              .map((inputs): Sample => ({ f: (...xs) => concat(xs, axis), inputs, naive: concatLoop(axis) })),
          ),
      ),
    float32Units: 8,
    real: () => [{ f: (a, b) => concat([a!, b!, a!], 1), inputs: [draw(30, 20, 4), draw(30, 7, 4)] }],
  },
  pad: {
    samples: onShape((shape) =>
      fc
        .tuple(
          fc.tuple(
            ...shape.map(() => fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }))),
          ),
          fc.constantFrom(0, -1.5),
        )
        .map(([widths, value]): Use => [
          (x) => x.pad(widths, value),
          moved(
            shape.map((length, axis) => widths[axis]![0] + length + widths[axis]![1]),
            (index) => {
              const own = index.map((i, axis) => i - widths[axis]![0]);
              return own.every((i, axis) => i >= 0 && i < shape[axis]!) ? own : undefined;
            },
            value,
          ),
        ]),
    ),
    float32Units: 8,
    real: () => [
      {
        f: (x) =>
          x!.pad([
            [1, 2],
            [0, 5],
          ]),
        inputs: [draw(60, 40)],
      },
    ],
  },
  gather: {
    samples: onShape(
      (shape) =>
        axisAndIndices(shape).map(([axis, list]): Use => [
          (x) => x.gather(list, axis),
          gatherLoop(list, axis),
        ]),
      withAxis,
    ),
    float32Units: 8,
    real: () => [{ f: (x) => x!.gather(words, 0), inputs: [draw(100, 16)] }],
    cases: ["gather-duplicates"],
  },
  addAt: {
    samples: fc.tuple(tensors([2, 3]), tensors([2, 4]), indices(3, 4)).map(([x, updates, list]): Sample => ({
      f: (a, b) => a!.scatterAdd(list, b!, 1),
      inputs: [x, updates],
      naive: (a, b) =>
        built([2, 3], (index) => {
          let total = at(a!, index);
          list.forEach((to, i) => (total += to === index[1] ? at(b!, [index[0]!, i]) : 0));
          return total;
        }),
    })),
    float32Units: 8,
    real: () => [{ f: (a, b) => a!.scatterAdd(words, b!, 0), inputs: [draw(100, 4), draw(32, 20, 4)] }],
    cases: ["gather-duplicates"],
  },
  takeAlongAxis: {
    samples: fc.tuple(tensors([2, 3, 2]), alongAxis).map(([x, [axis, shape, list]]): Sample => ({
      f: (...xs) => xs[0]!.takeAlongAxis(tensorOf(list, shape), axis),
      inputs: [x],
      naive: moved(shape, (index) => withIndex(index, axis, at(tensorOf(list, shape), index))),
    })),
    float32Units: 8,
    real: () => [{ f: (x) => x!.takeAlongAxis(words, 1), inputs: [draw(32, 100)] }],
  },
  addAlongAxis: {
    samples: alongAxis.chain(([axis, shape, list]) =>
      tensors(shape).map((x): Sample => ({
        f: (...xs) =>
          apply(rules.addAlongAxis, [xs[0]!], {
            axis,
            length: [2, 3, 2][axis]!,
            indices: tensorOf(list, shape).array,
          }),
        inputs: [x],
        naive: added(
          shape.map((size, i) => (i === axis ? [2, 3, 2][axis]! : size)),
          (index) => withIndex(index, axis, at(tensorOf(list, shape), index)),
        ),
      })),
    ),
    float32Units: 8,
    real: () => [
      {
        f: (x) => apply(rules.addAlongAxis, [x!], { axis: 1, length: 100, indices: words.array }),
        inputs: [draw(32, 20)],
      },
    ],
  },
};

const withIndex = (index: readonly number[], axis: number, value: number): number[] =>
  index.map((i, k) => (k === axis ? value : i));

/** Words of a sentence each in a vocabulary of 100. */
const words = tensor(
  Int32Array.from({ length: 640 }, (_, i) => (i * i * 7 + i) % 100),
  { shape: [32, 20] },
);

/** The rule of scatterAdd has a name of its own, and that of tril and triu. */
const publicNames: Readonly<Record<string, readonly string[]>> = {
  unslice: [],
  addAlongAxis: [],
  addAt: ["autograd scatterAdd"],
  triangle: ["autograd tril", "autograd triu"],
};

export const structuralRows: readonly Row[] = Object.entries(subjects).map(([name, subject]) =>
  operationRow(name, "structural", [`rule ${name}`, ...(publicNames[name] ?? [`autograd ${name}`])], subject),
);

/** The tensors one after the other. */
function concatLoop(axis: number): Naive {
  return (...xs) => {
    const owners = xs.flatMap((x, part) =>
      Array.from({ length: x.shape[axis]! }, (_, i) => [part, i] as const),
    );
    return built(
      xs[0]!.shape.map((length, k) => (k === axis ? owners.length : length)),
      (index) => {
        const [part, i] = owners[index[axis]!]!;
        return at(xs[part]!, withIndex(index, axis, i));
      },
    );
  };
}
