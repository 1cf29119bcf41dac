import type { Tensor } from "../../autograd/index.js";
import type { Nested } from "../../tensor/index.js";

/** A tensor as code that makes it again, to the bit: `tensor([[0.5, -1]], { dtype: "float64" })`. */
export function tensorLiteral(x: Tensor): string {
  const options = [
    x.dtype === "float32" ? "" : `dtype: "${x.dtype}"`,
    x.size === 0 && x.rank > 1 ? `shape: [${x.shape.join(", ")}]` : "",
  ].filter(Boolean);
  const data = x.size === 0 && x.rank > 1 ? "[]" : written(x.toArray());
  return `tensor(${data}${options.length > 0 ? `, { ${options.join(", ")} }` : ""})`;
}

function written(value: Nested): string {
  if (Array.isArray(value)) return `[${value.map((part: Nested) => written(part)).join(", ")}]`;
  return Object.is(value, -0) ? "-0" : String(value);
}
