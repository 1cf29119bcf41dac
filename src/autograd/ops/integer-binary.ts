import { fail } from "../../errors/index.js";
import {
  broadcastLayout,
  broadcastShapes,
  forEachRow,
  NDArray,
  reserve,
  sizeOf,
  type BinaryOp,
} from "../../tensor/index.js";

const integerFunctions: Partial<Record<BinaryOp, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: Math.imul,
  scale: Math.imul,
  maximum: Math.max,
  minimum: Math.min,
};

/** Arithmetic on int32 and bool operands: the result is int32 and wraps around at 32 bits. */
export function integerBinary(name: BinaryOp, a: NDArray, b: NDArray): NDArray {
  const f =
    integerFunctions[name] ??
    fail("E_DTYPE", `${name}: expected floating operands, got ${a.dtype} and ${b.dtype}`);
  return elementwise(name, a, b, "int32", f);
}

/** f of each pair of elements, with broadcasting. */
export function elementwise(
  name: string,
  a: NDArray,
  b: NDArray,
  dtype: "int32" | "bool",
  f: (a: number, b: number) => number,
): NDArray {
  const shape = broadcastShapes(name, a.shape, b.shape);
  const out = reserve(dtype, sizeOf(shape));
  const result = new NDArray(shape, dtype, out);
  if (out.length === 0) return result;
  const layout = broadcastLayout(shape, a.shape, b.shape);
  const last = layout.dims.length - 1;
  const inner = layout.dims[last]!;
  const da = layout.strides[0]![last]!;
  const db = layout.strides[1]![last]!;
  const left = a.data;
  const right = b.data;
  forEachRow(layout, (at, bt, to) => {
    for (let i = 0; i < inner; i++) out[to + i] = f(left[at + i * da]!, right[bt + i * db]!);
  });
  return result;
}
