import { fail, formatGiven } from "../../errors/index.js";
import { formatShape, sizeOf } from "../../tensor/index.js";
import { eye } from "../create.js";
import { floated, type TensorLike } from "../operands.js";
import type { Tensor } from "../tensor.js";

/** A tensor whose axes carry letters, each once. */
interface Labelled {
  readonly x: Tensor;
  readonly letters: string;
}

/**
 * Einstein summation: `einsum("bij,bjk->bik", a, b)`. A letter that is not in the output is summed over, a letter twice in one
 * operand takes the diagonal; without "->" the output is the letters that occur once, in alphabetical order. Contracted
 * from left to right, pairs as matrix products; int32 and bool count as float32. Throws `E_EINSUM`.
 */
export function einsum(subscripts: string, ...operands: readonly TensorLike[]): Tensor {
  const tensors = operands.map(floated);
  const { inputs, output } = parse(subscripts, tensors);
  let parts = tensors.map((x, i) => diagonals({ x, letters: inputs[i]! }));
  while (parts.length > 1) {
    const [a, b, ...rest] = parts as [Labelled, Labelled, ...Labelled[]];
    const later = output + rest.map((part) => part.letters).join("");
    parts = [contract(a, b, later), ...rest];
  }
  const last = keepOnly(parts[0]!, output);
  return last.x.permute([...output].map((letter) => last.letters.indexOf(letter)));
}

function parse(subscripts: string, tensors: readonly Tensor[]): { inputs: string[]; output: string } {
  if (typeof subscripts !== "string")
    fail("E_EINSUM", `einsum: expected subscripts such as "ij,jk->ik", got ${formatGiven(subscripts)}`);
  const text = subscripts.replaceAll(" ", "");
  const match = /^([a-zA-Z,]*)(?:->([a-zA-Z]*))?$/.exec(text);
  if (!match)
    fail(
      "E_EINSUM",
      `einsum: cannot read "${subscripts}"; expected letters, commas and one "->", such as "ij,jk->ik"`,
    );
  const inputs = match[1]!.split(",");
  if (inputs.length !== tensors.length) {
    fail("E_EINSUM", `einsum: "${subscripts}" names ${inputs.length} operands, got ${tensors.length}`);
  }
  const sizes = new Map<string, number>();
  inputs.forEach((letters, i) => {
    const { shape } = tensors[i]!;
    if (letters.length !== shape.length) {
      fail(
        "E_EINSUM",
        `einsum: "${letters}" names ${letters.length} axes, operand ${i} has shape ${formatShape(shape)}`,
      );
    }
    [...letters].forEach((letter, axis) => {
      const known = sizes.get(letter) ?? shape[axis]!;
      if (known !== shape[axis]) {
        fail(
          "E_EINSUM",
          `einsum: letter "${letter}" has size ${known} and, in operand ${i} of shape ${formatShape(shape)}, ${shape[axis]}`,
        );
      }
      sizes.set(letter, known);
    });
  });
  const all = inputs.join("");
  const once = [...sizes.keys()]
    .filter((letter) => all.indexOf(letter) === all.lastIndexOf(letter))
    .sort()
    .join("");
  const output = match[2] ?? once;
  for (const letter of output) {
    if (!sizes.has(letter))
      fail("E_EINSUM", `einsum: output letter "${letter}" is in no operand of "${subscripts}"`);
    if (output.indexOf(letter) !== output.lastIndexOf(letter))
      fail("E_EINSUM", `einsum: output letter "${letter}" occurs twice in "${subscripts}"`);
  }
  return { inputs, output };
}

/** Replaces each letter that occurs twice by the diagonal of its two axes. */
function diagonals({ x, letters }: Labelled): Labelled {
  for (let axis = 0; axis < letters.length; axis++) {
    const other = letters.indexOf(letters[axis]!, axis + 1);
    if (other < 0) continue;
    const order = [...x.shape.keys()].filter((i) => i !== axis && i !== other).concat(axis, other);
    const moved = x.permute(order);
    const length = x.shape[axis]!;
    const diagonal = moved.where(eye(length, length, { dtype: "bool" }), 0).sum(-1);
    const rest = order
      .slice(0, -1)
      .map((i) => letters[i]!)
      .join("");
    return diagonals({ x: diagonal, letters: rest });
  }
  return { x, letters };
}

/** Sums over the letters that are not wanted. */
function keepOnly({ x, letters }: Labelled, wanted: string): Labelled {
  const axes = [...letters].flatMap((letter, axis) => (wanted.includes(letter) ? [] : [axis]));
  if (axes.length === 0) return { x, letters };
  return { x: x.sum(axes), letters: [...letters].filter((letter) => wanted.includes(letter)).join("") };
}

/** The product of two operands, summed over the letters that nothing later needs. */
function contract(first: Labelled, second: Labelled, later: string): Labelled {
  const a = keepOnly(first, second.letters + later);
  const b = keepOnly(second, first.letters + later);
  const shared = [...a.letters].filter((letter) => b.letters.includes(letter));
  const batch = shared.filter((letter) => later.includes(letter)).join("");
  const summed = shared.filter((letter) => !later.includes(letter)).join("");
  const left = [...a.letters].filter((letter) => !b.letters.includes(letter)).join("");
  const right = [...b.letters].filter((letter) => !a.letters.includes(letter)).join("");
  const sizes = ({ x, letters }: Labelled, of: string): number[] =>
    [...of].map((letter) => x.shape[letters.indexOf(letter)]!);
  const arranged = (part: Labelled, groups: readonly string[]): Tensor =>
    part.x
      .permute([...groups.join("")].map((letter) => part.letters.indexOf(letter)))
      .reshape(groups.map((group) => sizeOf(sizes(part, group))));
  const x = arranged(a, [batch, left, summed]).matmul(arranged(b, [batch, summed, right]));
  return {
    x: x.reshape([...sizes(a, batch), ...sizes(a, left), ...sizes(b, right)]),
    letters: batch + left + right,
  };
}
