import { addressFor, addressOf, deliver, push, rewind, stackTop } from "../../memory/index.js";
import type { LayerNormBackward, LayerNormForward } from "../kernels.js";
import { layerNormBackward as readableBackward, layerNorm as readable } from "../reference/layer-norm.js";
import { isFast } from "./operands.js";
import { rows } from "./rows.js";

/** Normalizes rows, with gain and bias, see `Kernels.layerNorm`. */
export function layerNorm(length: number, eps: number, arrays: LayerNormForward): void {
  const { out } = arrays;
  if (!isFast(out, 4 * out.length + 2 * length)) return readable(length, eps, arrays);
  const [x, weight, bias, normal, scale] = [
    arrays.x,
    arrays.weight,
    arrays.bias,
    arrays.normal,
    arrays.scale,
  ] as Float32Array[];
  const mark = stackTop();
  const to = addressFor(out);
  const y = addressFor(normal!);
  const factors = addressFor(scale!);
  rows().layerNorm(
    scale!.length,
    length,
    eps,
    addressOf(x!),
    addressOf(weight!),
    addressOf(bias!),
    to,
    y,
    factors,
  );
  deliver(out, to);
  deliver(normal!, y);
  deliver(scale!, factors);
  rewind(mark);
}

/** Its gradient, see `Kernels.layerNormBackward`. */
export function layerNormBackward(length: number, arrays: LayerNormBackward): void {
  const { dx } = arrays;
  if (!isFast(dx, 5 * dx.length + 2 * length)) return readableBackward(length, arrays);
  const [g, normal, scale, weight, weighted] = [
    arrays.g,
    arrays.normal,
    arrays.scale,
    arrays.weight,
    arrays.weighted,
  ] as Float32Array[];
  const mark = stackTop();
  const to = addressFor(dx);
  const products = addressFor(weighted!);
  rows().layerNormBackward(
    scale!.length,
    length,
    addressOf(g!),
    addressOf(normal!),
    addressOf(scale!),
    addressOf(weight!),
    to,
    products,
    push(4 * length),
  );
  deliver(dx, to);
  deliver(weighted!, products);
  rewind(mark);
}
