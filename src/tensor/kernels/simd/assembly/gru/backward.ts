import { storeLanes } from "../product/tile";
import { timesPanels } from "./panels";

/**
 * Up to four units of one row, g the cotangent of their states; pointers to gates stand at the part of r, see forward.ts. g·z is
 * stored at `direct`.
 */
// @ts-ignore: decorator
@inline
function units(
  g: v128, gates: usize, part: usize, before: usize, inner: usize,
  inward: usize, onward: usize, direct: usize, columns: i32,
): void {
  const one = f32x4.splat(1);
  const r = v128.load(gates);
  const z = v128.load(gates + part);
  const n = v128.load(gates + 2 * part);
  const rest = f32x4.sub(one, z);
  const dn = f32x4.mul(f32x4.mul(g, rest), f32x4.sub(one, f32x4.mul(n, n)));
  const dz = f32x4.mul(f32x4.mul(f32x4.mul(g, f32x4.sub(v128.load(before), n)), z), rest);
  const dr = f32x4.mul(f32x4.mul(f32x4.mul(dn, v128.load(inner)), r), f32x4.sub(one, r));
  storeLanes(inward, dr, columns);
  storeLanes(onward, dr, columns);
  storeLanes(inward + part, dz, columns);
  storeLanes(onward + part, dz, columns);
  storeLanes(inward + 2 * part, dn, columns);
  storeLanes(onward + 2 * part, f32x4.mul(dn, r), columns);
  storeLanes(direct, f32x4.mul(g, z), columns);
}

/** The cotangent of four states: their own, and what the next step handed back. */
// @ts-ignore: decorator
@inline
function flow(cotangent: usize, direct: usize, products: usize, follows: bool): v128 {
  const g = v128.load(cotangent);
  return follows ? f32x4.add(g, f32x4.add(v128.load(direct), v128.load(products))) : g;
}

/**
 * See `Kernels.gruBackward`. `panels` is W_hh as packBackward lays it out; `cotangent` is that of the first step, rows `total`
 * steps apart; `direct` and `products` are room for `[batch, hidden]`; `carry` and `start` are 0 when there is none.
 */
export function backward(
  time: i32, batch: i32, hidden: i32, total: i32,
  panels: usize, cotangent: usize, carry: usize, gates: usize, before: usize, inner: usize, inward: usize, onward: usize, start: usize,
  direct: usize, products: usize,
): void {
  const part = <usize>hidden << 2;
  const size = <usize>batch * part;
  const whole = <usize>(hidden & ~3) << 2;
  if (carry) {
    // As if the step after the last had left it in two parts, of which one is nothing: x + −0 is x.
    memory.copy(direct, carry, size);
    for (let at: usize = 0; at < size; at += 4) store<f32>(products + at, -0.0);
  }
  for (let t = time - 1; t >= 0; t--) {
    const follows = carry != 0 || t + 1 < time;
    let own = cotangent + <usize>t * part;
    for (let row = 0; row < batch; row++) {
      const line = <usize>row * part;
      const step = <usize>t * size + line;
      let at: usize = 0;
      for (; at < whole; at += 16) {
        units(
          flow(own + at, direct + line + at, products + line + at, follows),
          gates + 3 * step + at, part, before + step + at, inner + step + at,
          inward + 3 * step + at, onward + 3 * step + at, direct + line + at, 4,
        );
      }
      if (at < part) {
        units(
          flow(own + at, direct + line + at, products + line + at, follows),
          gates + 3 * step + at, part, before + step + at, inner + step + at,
          inward + 3 * step + at, onward + 3 * step + at, direct + line + at, hidden & 3,
        );
      }
      own += <usize>total * part;
    }
    if (t == 0 && !start) return;
    timesPanels(batch, hidden, 3 * hidden, onward + 3 * <usize>t * size, panels, products);
  }
  const end = start + size;
  const end4 = start + (size & ~15);
  for (; start < end4; start += 16, direct += 16, products += 16)
    v128.store(start, f32x4.add(v128.load(direct), v128.load(products)));
  for (; start < end; start += 4, direct += 4, products += 4)
    store<f32>(start, load<f32>(direct) + load<f32>(products));
}
