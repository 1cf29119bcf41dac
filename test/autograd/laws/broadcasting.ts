import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { expectEqualBits } from "./bits.js";
import { cotangentLike } from "./cotangent.js";
import type { Function } from "./differences.js";

/** Broadcasting is an explicit expand: the same value and the same gradients, to the bit. */
export function expectBroadcasting(f: Function, inputs: readonly Tensor[]): void {
  const direct = vjp(f, ...inputs);
  const { shape } = direct.value;
  const explicit = vjp((...xs) => f(...xs.map((x) => x.expand(shape))), ...inputs);
  expectEqualBits(explicit.value, direct.value);
  const cotangent = cotangentLike(direct.value);
  const expanded = explicit.pullback(cotangent);
  direct.pullback(cotangent).forEach((g, i) => expectEqualBits(g, expanded[i]!));
}
