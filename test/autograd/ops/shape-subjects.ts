import fc from "fast-check";
import { concat, rules, slice, tensor, type Range, type Tensor } from "../../../src/autograd/index.js";
import { apply } from "../../../src/autograd/record.js";
import { broadcastPairs, axesOf, shapes, sizeOf, tensors } from "../arbitraries.js";
import type { Sample, Subject } from "./samples.js";

/** A use of an operation on one tensor, drawn together with its shape. */
const onShape = (
  use: (shape: number[]) => fc.Arbitrary<(x: Tensor) => Tensor>,
  shape: fc.Arbitrary<number[]> = shapes(),
): fc.Arbitrary<Sample> =>
  shape.chain((dims) =>
    fc.tuple(tensors(dims), use(dims)).map(([x, f]) => ({ f: (...xs: Tensor[]) => f(xs[0]!), inputs: [x] })),
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

export const shapeSubjects = {
  reshape: {
    samples: onShape((shape) =>
      fc.constantFrom<(x: Tensor) => Tensor>(
        (x) => x.reshape([1, sizeOf(shape), 1]),
        (x) => x.reshape([...shape].reverse().concat(1)),
        (x) => (x.size > 0 ? x.reshape([1, -1, 1]) : x.reshape([0, 1])),
      ),
    ),
  },
  permute: {
    samples: onShape(
      (shape) =>
        fc
          .shuffledSubarray([...shape.keys()], { minLength: shape.length, maxLength: shape.length })
          .filter((order) => order.some((axis, i) => axis !== i))
          .map((order) => (x: Tensor) => x.permute(order)),
      shapes({ minRank: 2 }),
    ),
  },
  expand: {
    samples: broadcastPairs.chain(([from, other]) => {
      const shape = [2, ...from.map((size, i) => (size === 1 ? (other[i] ?? 3) : size))];
      return tensors(from).map((x) => ({ f: (...xs: Tensor[]) => xs[0]!.expand(shape), inputs: [x] }));
    }),
    float32Units: 8,
  },
  flip: {
    samples: onShape((shape) => axesOf(shape.length).map((axes) => (x: Tensor) => x.flip(axes))),
  },
  triangle: {
    samples: onShape(
      () =>
        fc.tuple(offset, fc.boolean()).map(
          ([k, upper]) =>
            (x: Tensor) =>
              upper ? x.triu(k) : x.tril(k),
        ),
      shapes({ minRank: 2 }),
    ),
    batches: true,
  },
  slice: {
    samples: onShape(
      (shape) => fc.tuple(...shape.map(range)).map((ranges) => (x: Tensor) => slice(x, ranges)),
      withAxis,
    ),
  },
  unslice: {
    samples: tensors([2, 2]).map((x) => ({
      f: (...xs: Tensor[]) =>
        apply(rules.unslice, [xs[0]!], { starts: [3, 0], lengths: [2, 2], steps: [-2, 1], shape: [4, 3] }),
      inputs: [x],
    })),
    float32Units: 8,
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
              .map((inputs) => ({ f: (...xs: Tensor[]) => concat(xs, axis), inputs })),
          ),
      ),
    float32Units: 8,
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
        .map(
          ([widths, value]) =>
            (x: Tensor) =>
              x.pad(widths, value),
        ),
    ),
    float32Units: 8,
  },
  gather: {
    samples: onShape(
      (shape) =>
        axisAndIndices(shape).map(
          ([axis, list]) =>
            (x: Tensor) =>
              x.gather(list, axis),
        ),
      withAxis,
    ),
    float32Units: 8,
  },
  addAt: {
    samples: fc.tuple(tensors([2, 4]), indices(3, 4)).map(([x, list]) => ({
      f: (...xs: Tensor[]) =>
        xs[0]!.mul(0).sum([1], { keepDims: true }).expand([2, 3]).scatterAdd(list, xs[0]!, 1),
      inputs: [x],
    })),
    float32Units: 8,
  },
  takeAlongAxis: {
    samples: fc.tuple(tensors([2, 3, 2]), alongAxis).map(([x, [axis, shape, list]]) => ({
      f: (...xs: Tensor[]) => xs[0]!.takeAlongAxis(tensorOf(list, shape), axis),
      inputs: [x],
    })),
    float32Units: 8,
  },
  addAlongAxis: {
    samples: alongAxis.chain(([axis, shape, list]) =>
      tensors(shape).map((x) => ({
        f: (...xs: Tensor[]) =>
          apply(rules.addAlongAxis, [xs[0]!], {
            axis,
            length: [2, 3, 2][axis]!,
            indices: tensorOf(list, shape).array,
          }),
        inputs: [x],
      })),
    ),
    float32Units: 8,
  },
} satisfies Record<string, Subject>;
