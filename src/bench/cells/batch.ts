import { tensor, type Tensor } from "../../autograd/index.js";
import { targetWidth, type Split, type Track, type TrackNumbers } from "../tracks/index.js";

/** Inputs `[batch, steps, features]` and targets `[batch, outputs]`, or classes `[batch]`, of a text `[batch·steps]`. */
export interface Batch {
  readonly x: Tensor;
  readonly y: Tensor;
}

/** What the data of a track look like. */
export type DataShape = Pick<Track, "input" | "outputs" | "loss">;

/** The series of these indices, in this order. */
export function gatherBatch(split: Split, shape: DataShape, indices: Int32Array): Batch {
  const { steps, features } = shape.input;
  const count = indices.length;
  const x = gatherRows(split.x, steps * features, indices);
  const y = gatherRows(split.y, targetWidth(shape), indices);
  return {
    x: tensor(x, { shape: [count, steps, features] }),
    y: tensor(y, { shape: shape.loss === "cross-entropy" ? [y.length] : [count, shape.outputs] }),
  };
}

function gatherRows(values: TrackNumbers, width: number, indices: Int32Array): TrackNumbers {
  const length = indices.length * width;
  const rows = values instanceof Float32Array ? new Float32Array(length) : new Int32Array(length);
  indices.forEach((index, at) => rows.set(values.subarray(index * width, (index + 1) * width), at * width));
  return rows;
}

/** The series `from` … `to − 1`. */
export function sliceBatch(split: Split, shape: DataShape, from: number, to: number): Batch {
  return gatherBatch(
    split,
    shape,
    Int32Array.from({ length: to - from }, (_, i) => from + i),
  );
}
