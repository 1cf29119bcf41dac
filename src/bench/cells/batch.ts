import { tensor, type Tensor } from "../../autograd/index.js";
import type { SeriesInput, Split } from "../tracks/index.js";

/** Inputs `[batch, steps, features]` and targets `[batch, outputs]`. */
export interface Batch {
  readonly x: Tensor;
  readonly y: Tensor;
}

/** Sizes of one series. */
export interface SeriesShape {
  readonly input: SeriesInput;
  readonly outputs: number;
}

/** The series of these indices, in this order. */
export function gatherBatch(split: Split, shape: SeriesShape, indices: Int32Array): Batch {
  const { steps, features } = shape.input;
  const width = steps * features;
  const x = new Float32Array(indices.length * width);
  const y = new Float32Array(indices.length * shape.outputs);
  indices.forEach((index, at) => {
    x.set(split.x.subarray(index * width, (index + 1) * width), at * width);
    y.set(split.y.subarray(index * shape.outputs, (index + 1) * shape.outputs), at * shape.outputs);
  });
  return {
    x: tensor(x, { shape: [indices.length, steps, features] }),
    y: tensor(y, { shape: [indices.length, shape.outputs] }),
  };
}

/** The series `from` … `to − 1`. */
export function sliceBatch(split: Split, shape: SeriesShape, from: number, to: number): Batch {
  return gatherBatch(
    split,
    shape,
    Int32Array.from({ length: to - from }, (_, i) => from + i),
  );
}
