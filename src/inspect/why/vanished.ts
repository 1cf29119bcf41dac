import type { InspectNode } from "../document.js";
import { fromJson } from "../json-number.js";
import { hiddenRowsSentence } from "./birth-sentence.js";
import type { Blame } from "./blame.js";
import { isZero, numberText, type Reader } from "./reader.js";

/** Operations that only move elements. */
const moving = new Set([
  "reshape",
  "permute",
  "expand",
  "flip",
  "slice",
  "concat",
  "cast",
  "joinSteps",
  "pad",
  "gather",
]);

/** Operations that are 0 where one of their operands is. */
const products = new Set([
  "mul",
  "scale",
  "matmul",
  "affine",
  "visibleScores",
  "visibleSum",
  "square",
  "div",
]);

/** Why the rule of an operation made 0 of a gradient that is not. */
export function killSentence(reader: Reader, id: number, to: number): Blame {
  const node = reader.node(id);
  const others = (node.inputs ?? []).filter((input) => input !== to);
  if (products.has(node.op!)) {
    const zero = [...others, to].find((input) => isZero(reader.node(input).value));
    if (zero !== undefined) {
      const birth = zeroBirth(reader, zero);
      const title = reader.title(id);
      return { node: birth.node, sentence: `${birth.sentence}, and ${title} multiplies the gradient by it` };
    }
  }
  return { node: id, sentence: `${ownReason(reader, node, to)} [${reader.title(id)}]` };
}

/** Where a value that is 0 everywhere came from: the first operation that made it of what is not. */
function zeroBirth(reader: Reader, start: number): Blame {
  let node = reader.node(start);
  for (;;) {
    const inputs = (node.inputs ?? []).map((input) => reader.node(input));
    const before =
      node.hiddenRows === undefined && (moving.has(node.op!) || products.has(node.op!))
        ? inputs.find(({ value }) => isZero(value))
        : undefined;
    if (!before) break;
    node = before;
  }
  const title = reader.title(node.id);
  if (node.kind !== "operation") return { node: node.id, sentence: `${title} is 0 everywhere` };
  return {
    node: node.id,
    sentence: `${ownReason(reader, node, node.inputs![0]!)}, so that ${title} is 0 everywhere`,
  };
}

/** What is special about the operands of an operation that lets nothing through. */
function ownReason(reader: Reader, node: InspectNode, to: number): string {
  if (node.hiddenRows) return hiddenRowsSentence(node, node.hiddenRows);
  const input = reader.node(to);
  const count = input.shape.reduce((product, size) => product * size, 1);
  const [low, high] = (input.value.range ?? [NaN, NaN]).map(fromJson) as [number, number];
  const between = low === high ? numberText(low) : `${numberText(low)} to ${numberText(high)}`;
  switch (node.op) {
    case "relu":
      if (high <= 0)
        return `relu is dead: all ${count} of its inputs are at most 0 (the largest is ${numberText(high)})`;
      return "relu lets nothing through: where its inputs are above 0, nothing comes in";
    case "where":
      return "where never takes this branch";
    case "clip":
      return `clip cuts everything off: its inputs (${between}) lie outside its bounds`;
    case "sign":
      return "sign is flat: its derivative is 0 everywhere";
    case "tanh":
    case "sigmoid":
    case "erf":
      return `${node.op} is saturated: at its inputs (${between}) its derivative rounds to 0`;
    case "exp":
      return `exp underflows: at its inputs (${between}) it is 0`;
    case "gelu":
    case "geluTanh":
    case "softplus":
      return `${node.op} is flat at its inputs (${between})`;
    case "maximum":
    case "minimum":
    case "max":
    case "min":
      return `${node.op} never chooses it`;
    case "slice":
    case "gather":
    case "takeAlongAxis":
      return `${node.op} leaves out what a gradient comes to`;
    case "softmax":
    case "logSoftmax":
      return `${node.op} has rows in which one entry takes everything, or all gradients are alike`;
    default:
      return `the rule of ${node.op} makes 0 of it`;
  }
}
