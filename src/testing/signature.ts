import { fail } from "../errors/index.js";
import { broadcastShapes, formatShape, type Shape } from "../tensor/index.js";

/** One axis as a product of sizes, each a number or a name: `3*h` is the axis of three blocks of h. */
export type AxisSize = readonly (number | string)[];

/** The axes of one tensor; `"..."` stands for any number of axes that broadcast. */
export type TensorAxes = readonly (AxisSize | "...")[];

/** What {@link parseSignature} reads. */
export interface Signature {
  readonly text: string;
  readonly inputs: readonly TensorAxes[];
  /** Undefined when the signature names no result. */
  readonly result: TensorAxes | undefined;
}

/**
 * Reads a signature such as `"(m,n),(n,p)->(m,p)"`: the shape of each input, and of the result. Sizes are names, numbers or
 * products of these (`3*h`); a name has one size everywhere. `...`, first in a shape, is any number of axes, which broadcast
 * from input to input. `()` is a scalar.
 *
 * @throws E_VALUE for any other text
 */
export function parseSignature(text: string): Signature {
  if (typeof text !== "string")
    fail("E_VALUE", `signature: expected a text such as ${example}, got ${typeof text}`);
  const [left = "", right, ...rest] = text.split("->");
  if (rest.length > 0) wrong(text, "it has more than one ->");
  const inputs = tensorsIn(text, left);
  const results = right === undefined ? [] : tensorsIn(text, right);
  if (results.length > 1) wrong(text, `it has ${results.length} results, expected one`);
  const names = new Set(inputs.flat(2).filter((size) => typeof size === "string"));
  for (const size of results.flat(2))
    if (typeof size === "string" && !names.has(size))
      wrong(text, `no input has the size ${size} of the result`);
  return { text, inputs, result: results[0] };
}

const example = '"(m,n),(n,p)->(m,p)"';

function wrong(text: string, why: string): never {
  return fail("E_VALUE", `signature "${text}": ${why}; write it as ${example}`);
}

function tensorsIn(text: string, list: string): TensorAxes[] {
  const compact = list.replaceAll(/\s/g, "");
  if (!/^\([^()]*\)(,\([^()]*\))*$/.test(compact))
    wrong(text, `"${list.trim()}" is not a list of shapes in parentheses`);
  return [...compact.matchAll(/\(([^()]*)\)/g)].map(([, inside = ""]) =>
    inside === "" ? [] : inside.split(",").map((axis, at) => axisIn(text, axis, at)),
  );
}

function axisIn(text: string, axis: string, at: number): AxisSize | "..." {
  if (axis === "...") return at === 0 ? axis : wrong(text, "... must be the first of the axes");
  return axis.split("*").map((size) => {
    if (/^\d+$/.test(size)) return Number(size);
    return /^[A-Za-z_]\w*$/.test(size) ? size : wrong(text, `"${axis}" is not a size`);
  });
}

/**
 * The size of each name, from the shapes of the inputs.
 *
 * @throws E_SHAPE when the shapes do not fit the signature
 */
export function sizesOf(signature: Signature, shapes: readonly Shape[]): Record<string, number> {
  const sizes: Record<string, number> = {};
  if (shapes.length !== signature.inputs.length)
    fail(
      "E_SHAPE",
      `signature "${signature.text}": it has ${signature.inputs.length} inputs, got ${shapes.length}`,
    );
  signature.inputs.forEach((axes, input) => {
    const shape = shapes[input]!;
    const misfit = (why: string): never =>
      fail(
        "E_SHAPE",
        `signature "${signature.text}": input ${input} has shape ${formatShape(shape)}; ${why}`,
      );
    const named = axes.filter((axis) => axis !== "...");
    if (named.length > shape.length || (named.length < shape.length && named.length === axes.length))
      misfit(`expected ${axes.length} axes`);
    const own = shape.slice(shape.length - named.length);
    named.forEach((axis, at) => {
      const known = product(axis, sizes);
      const missing = [...new Set(axis.filter((factor) => typeof factor === "string" && !(factor in sizes)))];
      if (missing.length > 1) return;
      const [name] = missing as string[];
      if (name !== undefined) sizes[name] = own[at]! / known;
      if (product(axis, sizes) !== own[at] || !Object.values(sizes).every(Number.isInteger))
        misfit(`its size ${own[at]} is not ${axis.join("*")}${name === undefined ? ` = ${known}` : ""}`);
    });
  });
  return sizes;
}

/** The shape of the result for inputs of these shapes; undefined when the signature names none. Throws `E_SHAPE`. */
export function resultShape(signature: Signature, shapes: readonly Shape[]): Shape | undefined {
  const sizes = sizesOf(signature, shapes);
  const batches = signature.inputs.flatMap((axes, i) =>
    axes.includes("...") ? [shapes[i]!.slice(0, shapes[i]!.length - (axes.length - 1))] : [],
  );
  return signature.result?.flatMap((axis) =>
    axis === "..."
      ? [...batches.reduce<Shape>((a, b) => broadcastShapes(`signature "${signature.text}"`, a, b), [])]
      : [product(axis, sizes)],
  );
}

/** The product of the factors that are known. */
function product(axis: AxisSize, sizes: Readonly<Record<string, number>>): number {
  return axis.reduce<number>(
    (size, factor) => size * (typeof factor === "number" ? factor : (sizes[factor] ?? 1)),
    1,
  );
}
