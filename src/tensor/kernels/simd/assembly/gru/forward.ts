import { isModerate4, sigmoid4, sigmoidOfModerate4 } from "../math/sigmoid4";
import { tanh4 } from "../math/tanh4";
import { storeLanes } from "../product/tile";
import { timesPanels } from "./panels";

/** Four sums x + bias. */
// @ts-ignore: decorator
@inline
function biased(x: usize, bias: usize): v128 {
  return f32x4.add(v128.load(x), v128.load(bias));
}

/** What r or z of four units is the sigmoid of: (i + b_ih) + (o + b_hh) */
// @ts-ignore: decorator
@inline
function gateSum(gates: usize, products: usize, biasIh: usize, biasHh: usize): v128 {
  return f32x4.add(biased(gates, biasIh), biased(products, biasHh));
}

/** r and z of one row, `n` neighbours, in place of their parts of x·W_ihᵀ. Four vectors at once hide the latency of one. */
function sigmoidGates(gates: usize, products: usize, biasIh: usize, biasHh: usize, n: i32): void {
  for (const end = gates + (<usize>(n & ~15) << 2); gates < end;) {
    let a = gateSum(gates, products, biasIh, biasHh);
    let b = gateSum(gates + 16, products + 16, biasIh + 16, biasHh + 16);
    let c = gateSum(gates + 32, products + 32, biasIh + 32, biasHh + 32);
    let d = gateSum(gates + 48, products + 48, biasIh + 48, biasHh + 48);
    const moderate = v128.and(
      v128.and(isModerate4(a), isModerate4(b)), v128.and(isModerate4(c), isModerate4(d)),
    );
    if (v128.all_true<i32>(moderate)) {
      a = sigmoidOfModerate4(a);
      b = sigmoidOfModerate4(b);
      c = sigmoidOfModerate4(c);
      d = sigmoidOfModerate4(d);
    } else {
      a = sigmoid4(a);
      b = sigmoid4(b);
      c = sigmoid4(c);
      d = sigmoid4(d);
    }
    v128.store(gates, a);
    v128.store(gates, b, 16);
    v128.store(gates, c, 32);
    v128.store(gates, d, 48);
    gates += 64; products += 64; biasIh += 64; biasHh += 64;
  }
  for (let left = n & 15; left > 0; left -= 4) {
    storeLanes(gates, sigmoid4(gateSum(gates, products, biasIh, biasHh)), left);
    gates += 16; products += 16; biasIh += 16; biasHh += 16;
  }
}

/** n of four units, tanh((i + b_ih) + r·(o + b_hh)). */
// @ts-ignore: decorator
@inline
function candidate(gates: usize, biasIh: usize, r: usize, onward: v128): v128 {
  return tanh4(f32x4.add(biased(gates, biasIh), f32x4.mul(v128.load(r), onward)));
}

/** n + z·(h − n) */
// @ts-ignore: decorator
@inline
function mixed(n: v128, z: usize, h: usize): v128 {
  return f32x4.add(n, f32x4.mul(v128.load(z), f32x4.sub(v128.load(h), n)));
}

/**
 * n of one row in place of its part of x·W_ihᵀ, its hidden part, and the next state, to `state` and `next` (which may be the
 * same). The other pointers stand at the part of n; those of r and z are one and two times `part` bytes before it.
 */
function nextStates(
  gates: usize, part: usize, products: usize, biasIh: usize, biasHh: usize,
  before: usize, inner: usize, state: usize, next: usize, hidden: i32,
): void {
  let r = gates - 2 * part;
  let z = gates - part;
  for (const end = gates + (<usize>(hidden & ~15) << 2); gates < end;) {
    const oa = biased(products, biasHh);
    const ob = biased(products + 16, biasHh + 16);
    const oc = biased(products + 32, biasHh + 32);
    const od = biased(products + 48, biasHh + 48);
    v128.store(inner, oa);
    v128.store(inner, ob, 16);
    v128.store(inner, oc, 32);
    v128.store(inner, od, 48);
    const a = candidate(gates, biasIh, r, oa);
    const b = candidate(gates + 16, biasIh + 16, r + 16, ob);
    const c = candidate(gates + 32, biasIh + 32, r + 32, oc);
    const d = candidate(gates + 48, biasIh + 48, r + 48, od);
    v128.store(gates, a);
    v128.store(gates, b, 16);
    v128.store(gates, c, 32);
    v128.store(gates, d, 48);
    const ha = mixed(a, z, before);
    const hb = mixed(b, z + 16, before + 16);
    const hc = mixed(c, z + 32, before + 32);
    const hd = mixed(d, z + 48, before + 48);
    v128.store(state, ha);
    v128.store(state, hb, 16);
    v128.store(state, hc, 32);
    v128.store(state, hd, 48);
    v128.store(next, ha);
    v128.store(next, hb, 16);
    v128.store(next, hc, 32);
    v128.store(next, hd, 48);
    gates += 64; r += 64; z += 64; products += 64; biasIh += 64; biasHh += 64;
    before += 64; inner += 64; state += 64; next += 64;
  }
  for (let left = hidden & 15; left > 0; left -= 4) {
    const onward = biased(products, biasHh);
    const n = candidate(gates, biasIh, r, onward);
    const h = mixed(n, z, before);
    storeLanes(inner, onward, left);
    storeLanes(gates, n, left);
    storeLanes(state, h, left);
    storeLanes(next, h, left);
    gates += 16; r += 16; z += 16; products += 16; biasIh += 16; biasHh += 16;
    before += 16; inner += 16; state += 16; next += 16;
  }
}

/**
 * See `Kernels.gruForward`. `products` is room for `[batch, 3·hidden]`; without biases the caller gives negative zeros, which
 * change no sum.
 */
export function forward(
  time: i32, batch: i32, hidden: i32,
  panels: usize, biasIh: usize, biasHh: usize, gates: usize, before: usize, inner: usize, states: usize, products: usize,
): void {
  const part = <usize>hidden << 2;
  const size = <usize>batch * part;
  for (let t = 0; t < time; t++) {
    timesPanels(batch, 3 * hidden, hidden, before, panels, products);
    let state = states + <usize>t * part;
    let product = products;
    for (let row = 0; row < batch; row++) {
      sigmoidGates(gates, product, biasIh, biasHh, 2 * hidden);
      nextStates(
        gates + 2 * part, part, product + 2 * part, biasIh + 2 * part, biasHh + 2 * part,
        before, inner, state, t + 1 < time ? before + size : state, hidden,
      );
      gates += 3 * part;
      product += 3 * part;
      before += part;
      inner += part;
      state += <usize>time * part;
    }
  }
}
