import { gradients, scope, tensor, type Tensor } from "../../src/autograd/index.js";
import {
  GRU,
  GRUCell,
  MultiHeadAttention,
  attention,
  type Parameter,
  type ResetPlace,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { closeness, expectSame, leafOf, numbers, type Kind, type Place } from "./place.js";

interface Weights {
  readonly ih: Tensor;
  readonly hh: Tensor;
  readonly bi: Tensor | undefined;
  readonly bh: Tensor | undefined;
}

/** One step by its formula, gate by gate: r, z, n in this order. */
function formula({ ih, hh, bi, bh }: Weights, reset: ResetPlace, x: Tensor, h: Tensor): Tensor {
  const hidden = h.shape[1]!;
  const part = (w: Tensor | undefined, gate: number): Tensor =>
    w ? w.slice([[gate * hidden, (gate + 1) * hidden]]) : tensor(0).cast(h.dtype);
  const input = (gate: number): Tensor => x.matmul(part(ih, gate).transpose()).add(part(bi, gate));
  const state = (s: Tensor, gate: number): Tensor => s.matmul(part(hh, gate).transpose()).add(part(bh, gate));
  const r = input(0).add(state(h, 0)).sigmoid();
  const z = input(1).add(state(h, 1)).sigmoid();
  const n = input(2)
    .add(reset === "after" ? r.mul(state(h, 2)) : state(r.mul(h), 2))
    .tanh();
  return n.mul(z.neg().add(1)).add(z.mul(h));
}

/** Different numbers in every entry: constant ones cannot tell the gates apart. */
function spread(parameters: readonly Parameter[]): void {
  parameters.forEach((p, i) => p.assign(numbers(`parameter ${i}`, p.shape, p.dtype as "float32").mul(0.7)));
}

interface Case {
  readonly reset: ResetPlace;
  readonly bias?: boolean;
  readonly numLayers?: number;
  readonly start?: boolean;
  readonly changed?: boolean;
}

function series({
  reset,
  bias = true,
  numLayers = 1,
  start = true,
  changed = false,
}: Case): (at: Place) => void {
  return (at) => {
    const hidden = at.copies === 1 ? 3 : 20;
    const [batch, time, inputs] = [2, 4, 5];
    const onStep = changed ? { onStep: (h: Tensor) => h.mul(0.5).add(0.1) } : {};
    const layer = new GRU(inputs, hidden, {
      rng: generator("gru"),
      dtype: at.dtype,
      reset,
      bias,
      numLayers,
      ...onStep,
    });
    spread(layer.parameters());
    const x = leafOf("x", [batch, time, inputs], at.dtype);
    const h0 = leafOf("h", [numLayers, batch, hidden], at.dtype);
    const wanted: Tensor[] = [];
    let below = Array.from({ length: time }, (_, t) => x.slice([null, t]));
    for (let l = 0; l < numLayers; l++) {
      const weights = {
        ih: layer[`weight_ih_l${l}`]!,
        hh: layer[`weight_hh_l${l}`]!,
        bi: layer[`bias_ih_l${l}`],
        bh: layer[`bias_hh_l${l}`],
      };
      let h: Tensor = start ? h0.slice([l]) : h0.detach().mul(0).slice([l]);
      below = below.map((step) => {
        h = formula(weights, reset, step, h);
        if (changed) h = h.mul(0.5).add(0.1);
        return h;
      });
      wanted.push(h);
    }
    const { output, hidden: last } = layer.forward(x, start ? h0 : undefined);
    wanted.forEach((h, l) => expectSame(last.slice([l]), h, 10 * closeness(at)));
    below.forEach((h, t) => expectSame(output.slice([null, t]), h, 10 * closeness(at)));
    const weights = below.map((_, t) => numbers(`cotangent ${t}`, [batch, hidden], at.dtype));
    const inputsOf = [...layer.parameters(), x, ...(start ? [h0] : [])];
    const found = gradients(
      weights.map((g, t) => output.slice([null, t]).mul(g).sum()).reduce((a, b) => a.add(b)),
      inputsOf,
    );
    const right = gradients(
      weights.map((g, t) => below[t]!.mul(g).sum()).reduce((a, b) => a.add(b)),
      inputsOf,
    );
    found.forEach((g, i) => expectSame(g, right[i], 100 * closeness(at)));
  };
}

function cell(reset: ResetPlace, bias: boolean, start: boolean): (at: Place) => void {
  return (at) => {
    const hidden = at.copies === 1 ? 3 : 20;
    const layer = new GRUCell(4, hidden, { rng: generator("gru"), dtype: at.dtype, reset, bias });
    spread(layer.parameters());
    const x = leafOf("x", [2, 4], at.dtype);
    const h = leafOf("h", [2, hidden], at.dtype);
    const given = start ? h : h.detach().mul(0);
    const weights = { ih: layer.weight_ih, hh: layer.weight_hh, bi: layer.bias_ih, bh: layer.bias_hh };
    const [found, right] = [layer.forward(x, start ? h : undefined), formula(weights, reset, x, given)];
    expectSame(found, right, 10 * closeness(at));
    const cotangents = [numbers("cotangent", [2, hidden], at.dtype)];
    const inputsOf = [...layer.parameters(), x, ...(start ? [h] : [])];
    const g = gradients(found, inputsOf, { cotangents });
    gradients(right, inputsOf, { cotangents }).forEach((w, i) => expectSame(g[i], w, 100 * closeness(at)));
  };
}

const resets = ["after", "before"] as const;

export const recurrent: Readonly<Record<string, Kind>> = {
  "gru-reset-variants": {
    kind: "layers whose weights hold several parts in an order, and gates with a place: as the formula has them, with all weights different",
    subjects: {
      ...Object.fromEntries(
        resets.flatMap((reset) => [
          [`GRU, reset ${reset}`, series({ reset })],
          [`GRU, reset ${reset}, from zeros`, series({ reset, start: false })],
          [`GRU, reset ${reset}, without biases`, series({ reset, bias: false })],
          [`GRU, reset ${reset}, three layers`, series({ reset, numLayers: 3 })],
          [`GRU, reset ${reset}, changed after each step`, series({ reset, changed: true })],
          [`GRUCell, reset ${reset}`, cell(reset, true, true)],
          [`GRUCell, reset ${reset}, from zeros`, cell(reset, true, false)],
          [`GRUCell, reset ${reset}, without biases`, cell(reset, false, true)],
        ]),
      ),
      "MultiHeadAttention, order of q, k and v and of heads": (at) => {
        const features = at.copies === 1 ? 4 : 32;
        const layer = new MultiHeadAttention(features, 2, { rng: generator("heads"), dtype: at.dtype });
        spread(layer.parameters());
        const x = numbers("x", [2, 3, features], at.dtype).mul(0.3);
        const projected = [0, 1, 2].map((i) => {
          const rows = [[i * features, (i + 1) * features]] as const;
          const y = x
            .matmul(layer.in_proj_weight.slice(rows).transpose())
            .add(layer.in_proj_bias!.slice(rows));
          return y.reshape([2, 3, 2, features / 2]).permute([0, 2, 1, 3]);
        });
        const [q, k, v] = projected as [Tensor, Tensor, Tensor];
        const heads = attention(q, k, v).permute([0, 2, 1, 3]).reshape([2, 3, features]);
        const wanted = heads.matmul(layer.out_proj.weight.transpose()).add(layer.out_proj.bias!);
        expectSame(layer.forward(x), wanted, 300 * closeness(at));
        expectSame(layer.forward(x, { key: x.mul(1), value: x.mul(1) }), wanted, 300 * closeness(at));
      },
      "a state that goes through a scope": (at) => {
        const layer = new GRUCell(4, 3, { rng: generator("gru"), dtype: at.dtype });
        const x = numbers("x", [2, 4], at.dtype);
        let inside: Tensor | undefined;
        let outside: Tensor | undefined;
        for (let step = 0; step < 5; step++) {
          const before: Tensor | undefined = inside;
          inside = scope(() => layer.forward(x, before));
          outside = layer.forward(x, outside);
        }
        expectSame(inside, outside, 0.1 * closeness(at));
      },
    },
  },
};
