import fc from "fast-check";
import {
  clip,
  div,
  maximum,
  minimum,
  mul,
  pow,
  scale,
  sub,
  add,
  tensor,
  where,
  type Tensor,
} from "../../../src/autograd/index.js";
import { broadcastPairs, domains, shapes, sizeOf, tensors } from "../arbitraries.js";
import type { TensorFunction } from "../../../src/testing/index.js";
import { of, type Subject } from "./samples.js";

const one = (element = domains.real): fc.Arbitrary<Tensor[]> =>
  shapes().chain((shape) => tensors(shape, element).map((x) => [x]));

const pair = (left = domains.real, right = domains.real): fc.Arbitrary<Tensor[]> =>
  broadcastPairs.chain(([a, b]) => fc.tuple(tensors(a, left), tensors(b, right)).map(([x, y]) => [x, y]));

const unary = (f: (x: Tensor) => Tensor, element = domains.real): Subject =>
  of((x) => f(x!), one(element), { broadcasts: true, batches: true });

const binary = (
  f: (a: Tensor, b: Tensor) => Tensor,
  left = domains.real,
  right = domains.real,
  rest: Omit<Subject, "samples"> = {},
): Subject => of((a, b) => f(a!, b!), pair(left, right), { broadcasts: true, float32Units: 24, ...rest });

/** The multiples of a step, so that two of them with different offsets are never equal. */
const grid = (step: number, offset: number): fc.Arbitrary<number> =>
  fc.integer({ min: -9, max: 9 }).map((n) => n * step + offset);

/** Conditions that leave a tensor as it is, or swap branches, at random. */
const chosen: Subject = {
  samples: broadcastPairs.chain(([a, b]) =>
    fc
      .tuple(tensors(a), tensors(b), fc.array(fc.boolean(), { minLength: sizeOf(a), maxLength: sizeOf(a) }))
      .map(([x, y, bits]) => {
        const condition = tensor(Uint8Array.from(bits, Number), { shape: a });
        const f: TensorFunction = (p, q) => where(condition, p!, q!);
        return { f, inputs: [x, y] };
      }),
  ),
  float32Units: 24,
};

export const elementwiseSubjects = {
  add: binary(add),
  sub: binary(sub),
  mul: binary(mul),
  div: binary(div, domains.real, domains.notZero),
  scale: binary(scale, domains.notZero),
  pow: binary(pow, domains.positive),
  maximum: binary(maximum, grid(0.5, 0), grid(0.5, 0.2)),
  minimum: binary(minimum, grid(0.5, 0), grid(0.5, 0.2)),
  neg: unary((x) => x.neg()),
  abs: unary((x) => x.abs(), domains.notZero),
  sign: unary((x) => x.sign(), domains.notZero),
  square: unary((x) => x.square()),
  sqrt: unary((x) => x.sqrt(), domains.positive),
  reciprocal: unary((x) => x.reciprocal(), domains.notZero),
  exp: unary((x) => x.exp()),
  log: unary((x) => x.log(), domains.positive),
  log1p: unary((x) => x.log1p(), domains.aboveMinusOne),
  expm1: unary((x) => x.expm1()),
  sin: unary((x) => x.sin()),
  cos: unary((x) => x.cos()),
  tanh: unary((x) => x.tanh()),
  sigmoid: unary((x) => x.sigmoid()),
  relu: unary((x) => x.relu(), domains.notZero),
  softplus: unary((x) => x.softplus()),
  erf: unary((x) => x.erf()),
  gelu: unary((x) => x.gelu()),
  geluTanh: unary((x) => x.gelu({ approximate: "tanh" })),
  where: chosen,
  clip: of((x) => clip(x!, -1.13, 0.87), one(grid(0.25, 0)), { broadcasts: true, batches: true }),
  cast: of((x) => x!.cast("float32").cast(x!.dtype), one(), { broadcasts: true, rounds: true }),
} satisfies Record<string, Subject>;
