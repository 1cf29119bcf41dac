import { fail, formatGiven, isOfOtherCopy } from "../errors/index.js";
import { allocate, dtypeOf, type DType, type Elements } from "./dtype.js";
import { NDArray } from "./ndarray.js";
import { formatShape, sizeOf, stridesOf, type Shape } from "./shape.js";

/** Numbers or booleans, nested to any depth; each level must have equal lengths. */
export type Nested = number | boolean | readonly Nested[];

/** Lists nested deeper than this are a mistake, such as a list that contains itself. */
const deepest = 64;

function shapeOfNested(value: Nested): number[] {
  const shape: number[] = [];
  let level: Nested = value;
  while (Array.isArray(level)) {
    if (shape.length === deepest)
      fail("E_SHAPE", `tensor: lists are nested at most ${deepest} deep; does one contain itself?`);
    shape.push(level.length);
    if (level.length === 0) break;
    level = level[0] as Nested;
  }
  return shape;
}

/**
 * An array from nested arrays. Without a type, booleans make bool and numbers float32.
 * Throws `E_SHAPE` for ragged nesting and `E_VALUE` for anything that is no number or boolean.
 */
export function fromNested(value: Nested, dtype?: DType): NDArray {
  const shape = shapeOfNested(value);
  const flat: number[] = [];
  let booleans = 0;
  const visit = (part: Nested, depth: number, path: string): void => {
    if (Array.isArray(part)) {
      if (depth >= shape.length || part.length !== shape[depth]) {
        fail(
          "E_SHAPE",
          `tensor: expected every list at depth ${depth} to have ${shape[depth] ?? "no"} entries as the first has, ` +
            `got ${part.length} at ${path || "the top"}`,
        );
      }
      for (let at = 0; at < part.length; at++) visit(part[at] as Nested, depth + 1, `${path}[${at}]`);
      return;
    }
    if (depth !== shape.length)
      fail(
        "E_SHAPE",
        `tensor: expected a list at ${path}, as at the same depth before, got ${formatGiven(part)}`,
      );
    if (typeof part !== "number" && typeof part !== "boolean") {
      fail(
        "E_VALUE",
        `tensor: expected a number or boolean at ${path || "the top"}, got ${isOfOtherCopy(part) ? "" : `${typeof part} `}${formatGiven(part)}`,
      );
    }
    if (typeof part === "boolean") booleans++;
    flat.push(Number(part));
  };
  visit(value, 0, "");
  const type = dtype ?? (flat.length > 0 && booleans === flat.length ? "bool" : "float32");
  const data = allocate(type, flat.length);
  for (let i = 0; i < flat.length; i++) data[i] = type === "bool" ? Number(flat[i] !== 0) : flat[i]!;
  return new NDArray(shape, type, data);
}

/**
 * An array from a typed array, whose elements are copied; bool elements become 0 or 1. Throws `E_SHAPE` when the sizes
 * differ.
 */
export function fromTyped(values: Elements, shape: Shape = [values.length], dtype?: DType): NDArray {
  if (sizeOf(shape) !== values.length) {
    fail(
      "E_SHAPE",
      `tensor: shape ${formatShape(shape)} holds ${sizeOf(shape)} elements, got ${values.length}`,
    );
  }
  const type = dtype ?? dtypeOf(values);
  const data = allocate(type, values.length);
  if (type === "bool") for (let i = 0; i < data.length; i++) data[i] = Number(values[i] !== 0);
  else data.set(values);
  return new NDArray([...shape], type, data);
}

/** The elements as nested lists: booleans for bool, numbers otherwise. */
export function toNested(array: NDArray): Nested {
  const { shape, data } = array;
  const strides = stridesOf(shape);
  const element = array.dtype === "bool" ? (at: number) => data[at] === 1 : (at: number) => data[at]!;
  const build = (axis: number, offset: number): Nested =>
    axis === shape.length
      ? element(offset)
      : Array.from({ length: shape[axis]! }, (_, at) => build(axis + 1, offset + at * strides[axis]!));
  return build(0, 0);
}
