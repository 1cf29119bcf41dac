import fc from "fast-check";
import {
  add,
  clip,
  div,
  linspace,
  maximum,
  minimum,
  mul,
  pow,
  randomNormal,
  scale,
  sub,
  onesLike,
  tensor,
  vjp,
  where,
  type Tensor,
} from "../../../../src/autograd/index.js";
import { generator } from "../../../../src/random/index.js";
import { Comparison } from "../../../../src/testing/comparison.js";
import { broadcastPairs, domains, shapes, sizeOf, tensors } from "../../../autograd/arbitraries.js";
import { built } from "../../../autograd/values/naive.js";
import type { Precision } from "../../checks/precision.js";
import { broadcastAt, broadcastOf, eachElement, eachPair } from "../../loops.js";
import { operationRow, type Subject } from "../../operation-row.js";
import { check, type Row } from "../../row.js";
import type { Naive, Sample } from "../../sample.js";

const one = (element = domains.real): fc.Arbitrary<Tensor[]> =>
  shapes().chain((shape) => tensors(shape, element).map((x) => [x]));

const pair = (left = domains.real, right = domains.real): fc.Arbitrary<Tensor[]> =>
  broadcastPairs.chain(([a, b]) => fc.tuple(tensors(a, left), tensors(b, right)).map(([x, y]) => [x, y]));

const rng = generator("elementwise at real sizes");
const draw = (...shape: number[]): Tensor => randomNormal(rng, shape, { dtype: "float64" });

/** Numbers of one sign or both away from 0 and from each other's kinks, as many as a model has. */
const real: Readonly<Record<"real" | "positive" | "aboveMinusOne" | "notZero", (x: Tensor) => Tensor>> = {
  real: (x) => x,
  positive: (x) => x.abs().add(0.4),
  aboveMinusOne: (x) => x.abs().sub(0.6),
  notZero: (x) => x.add(x.sign().mul(0.4)),
};

type Domain = keyof typeof real;

/** From one end of the interesting range to the other. */
const everywhere = linspace(-12, 12, 481, { dtype: "float64" });
const lines: Readonly<Record<Domain, Tensor>> = {
  real: everywhere,
  positive: everywhere.abs().add(1e-3),
  aboveMinusOne: everywhere.abs().mul(0.08).sub(0.95),
  notZero: everywhere,
};

const notWhole = "its values at whole numbers are not whole";

interface Rest extends Omit<Subject, "samples"> {
  readonly naive?: Naive;
}

const unary = (
  f: (x: Tensor) => Tensor,
  precision: Precision,
  { naive, ...rest }: Rest = {},
  domain: Domain = "real",
): Subject => ({
  samples: one(domains[domain]).map((inputs): Sample => ({
    f: (x) => f(x!),
    inputs,
    ...(naive && { naive }),
  })),
  precision,
  broadcasts: true,
  batches: true,
  line: { f: (x) => f(x!), inputs: [lines[domain]] },
  real: () => [{ f: (x) => f(x!), inputs: [real[domain](draw(64, 80))] }],
  ...(naive ? {} : { reasons: { 0: notWhole } }),
  ...rest,
});

const binary = (
  f: (a: Tensor, b: Tensor) => Tensor,
  precision: Precision,
  { naive, ...rest }: Rest = {},
  [left, right]: readonly [Domain, Domain] = ["real", "real"],
): Subject => ({
  samples: pair(domains[left], domains[right]).map((inputs): Sample => ({
    f: (a, b) => f(a!, b!),
    inputs,
    ...(naive && { naive }),
  })),
  precision,
  broadcasts: true,
  float32Units: 24,
  real: () => [
    { f: (a, b) => f(a!, b!), inputs: [real[left](draw(64, 1, 32)), real[right](draw(16, 32))] },
    { f: (a, b) => f(a!, b!), inputs: [real[left](draw(1)), real[right](draw(3000))] },
  ],
  ...(naive ? {} : { reasons: { 0: notWhole } }),
  ...rest,
});

/** The multiples of a step, so that two of them with different offsets are never equal. */
const grid = (step: number, offset: number): fc.Arbitrary<number> =>
  fc.integer({ min: -9, max: 9 }).map((n) => n * step + offset);

/** Rounded to the multiples of ½ and moved. */
const onGrid = (x: Tensor, offset: number): Tensor =>
  tensor(
    Float64Array.from(x.values(), (v) => Math.round(2 * v) / 2 + offset),
    { shape: x.shape },
  );

/** Which of two is chosen must not change within a step of the differences, so they lie on grids that never meet. */
const chosenOfTwo = (f: (a: Tensor, b: Tensor) => Tensor, naive: Naive): Subject => {
  const samples = pair(grid(0.5, 0), grid(0.5, 0.25)).map((inputs): Sample => ({
    f: (a, b) => f(a!, b!),
    inputs,
    naive,
  }));
  const real = (): Sample[] => [
    { f: (a, b) => f(a!, b!), inputs: [onGrid(draw(64, 1, 32), 0), onGrid(draw(16, 32), 0.25)] },
  ];
  return { ...binary(f, exactly, { naive }), samples, whole: samples, real, cases: ["max-ties"] };
};

/** Rounded correctly, once. */
const exactly: Precision = { unit: "ulp", limit: 0.5 };
const primitive = (...edges: number[]): Precision => ({ unit: "ulp", limit: 2, edges });
const composed = (...edges: number[]): Precision => ({ unit: "composed", limit: 4, edges });

/** Conditions that leave a tensor as it is, or swap branches, at random. */
const choice: Subject = {
  samples: broadcastPairs.chain(([a, b]) =>
    fc
      .tuple(tensors(a), tensors(b), fc.array(fc.boolean(), { minLength: sizeOf(a), maxLength: sizeOf(a) }))
      .map(([x, y, bits]): Sample => {
        const condition = tensor(Uint8Array.from(bits, Number), { shape: a }).cast("bool");
        return {
          f: (p, q) => where(condition, p!, q!),
          inputs: [x, y],
          naive: (p, q) =>
            built(broadcastOf(a, b), (index) =>
              broadcastAt(condition, index) ? broadcastAt(p!, index) : broadcastAt(q!, index),
            ),
        };
      }),
  ),
  float32Units: 24,
  real: () => {
    const condition = draw(64, 1, 1).greater(0);
    return [{ f: (a, b) => where(condition, a!, b!), inputs: [draw(64, 20, 16), draw(20, 1)] }];
  },
  cases: ["where-nan"],
};

const clipSamples = one(grid(0.25, 0)).map((inputs): Sample => ({
  f: (x) => clip(x!, -1.125, 0.875),
  inputs,
  naive: eachElement((x) => Math.min(Math.max(x, -1.125), 0.875)),
}));

/** Φ(−8) − 8·φ(8): the derivative of gelu, which there is the difference of two tiny numbers. */
const farTail = check("derivative at −8", () => {
  const comparison = new Comparison("FarTail");
  const exact = 6.220960574271785e-16 - 8 * 5.052271083536893e-15;
  const x = tensor(Float64Array.of(-8));
  const slope = vjp((v) => v!.gelu(), x)
    .pullback(onesLike(x))[0]!
    .item();
  comparison.error("relative to itself", 1e-9, Math.abs(slope / exact - 1), () => ({
    where: "at −8",
    expected: exact,
    found: slope,
  }));
  return comparison.result();
});

const subjects: Readonly<Record<string, Subject>> = {
  add: binary(add, exactly, { naive: eachPair((a, b) => a + b), cases: ["unbroadcast-empty"] }),
  sub: binary(sub, exactly, { naive: eachPair((a, b) => a - b) }),
  mul: binary(mul, exactly, { naive: eachPair((a, b) => a * b) }),
  div: binary(div, exactly, {}, ["real", "notZero"]),
  scale: binary(scale, exactly, { naive: eachPair((a, b) => (a === 0 ? 0 : a * b)) }, ["notZero", "real"]),
  pow: binary(pow, primitive(), { cases: ["pow-at-zero"] }, ["positive", "real"]),
  maximum: chosenOfTwo(maximum, eachPair(Math.max)),
  minimum: chosenOfTwo(minimum, eachPair(Math.min)),
  neg: unary((x) => x.neg(), exactly, { naive: eachElement((x) => -x) }),
  abs: unary((x) => x.abs(), exactly, { naive: eachElement(Math.abs) }, "notZero"),
  sign: unary((x) => x.sign(), exactly, { naive: eachElement(Math.sign) }, "notZero"),
  square: unary((x) => x.square(), exactly, { naive: eachElement((x) => x * x) }),
  sqrt: unary((x) => x.sqrt(), exactly, {}, "positive"),
  reciprocal: unary(
    (x) => x.reciprocal(),
    exactly,
    { line: { f: (x) => x!.reciprocal(), inputs: [lines.positive] } },
    "notZero",
  ),
  exp: unary((x) => x.exp(), primitive(88.7228, -87.3365, -103.972, 0.3466, 1e-8)),
  log: unary((x) => x.log(), primitive(1, Math.SQRT2, Math.SQRT1_2, 2 ** -126, 2 ** -140), {}, "positive"),
  log1p: unary((x) => x.log1p(), primitive(-1, -0.2929, 0.4142, 1, 1e-8, 2 ** 24), {}, "aboveMinusOne"),
  expm1: unary((x) => x.expm1(), primitive(88.7228, -17.5, 0.3466, -0.3466, 1e-8)),
  sin: unary((x) => x.sin(), primitive(Math.PI / 2, Math.PI, 2 ** 20, 1e-3)),
  cos: unary((x) => x.cos(), primitive(Math.PI / 2, Math.PI, 2 ** 20, 1e-3)),
  tanh: unary((x) => x.tanh(), primitive(0.26, 0.2554, 0.6066, 9.01, 9.0625, 1e-8), { fusedGradient: 0 }),
  sigmoid: unary((x) => x.sigmoid(), primitive(-0.3466, 0.3466, -88, -103.97, 17, 104), { fusedGradient: 0 }),
  relu: unary(
    (x) => x.relu(),
    exactly,
    { naive: eachElement((x) => Math.max(x, 0)), fusedGradient: 0 },
    "notZero",
  ),
  softplus: unary((x) => x.softplus(), composed(88, -88, -103.97), { fusedGradient: 0 }),
  erf: unary((x) => x.erf(), primitive(1, -1, 3.9, 1e-8)),
  gelu: unary((x) => x.gelu(), composed(-13.28125, -13.243, -3, -1, -0.26, 0.26, 1, 4), {
    fusedGradient: 0,
    further: { 3: [farTail] },
  }),
  geluTanh: unary((x) => x.gelu({ approximate: "tanh" }), composed(-9.3, -3, -1, -0.26, 0.26, 1, 4), {
    fusedGradient: 0,
  }),
  clip: {
    ...unary((x) => x.clip(-1.125, 0.875), exactly),
    samples: clipSamples,
    whole: clipSamples,
    real: () => [{ f: (x) => clip(x!, -1.125, 0.875), inputs: [onGrid(draw(64, 80), 0)] }],
    reasons: {},
  },
  cast: {
    ...unary((x) => x.cast("float32").cast(x.dtype), exactly, { naive: eachElement((x) => x) }),
    rounds: true,
    reasons: {
      3: "rounds to float32, so that differences see its steps",
      6: "rounds to float32, so that differences see its steps",
      8: "what float32 is, is the engine's: level 1 asks that nothing else happens",
    },
  },
};

/** Rules that have no public function of their own name. */
const inside = new Set(["geluTanh"]);

export const elementwiseRows: readonly Row[] = [
  ...Object.entries(subjects).map(([name, subject]) =>
    operationRow(
      name,
      "elementwise",
      [`rule ${name}`, ...(inside.has(name) ? [] : [`autograd ${name}`])],
      subject,
    ),
  ),
  operationRow("where", "structural", ["rule where", "autograd where"], choice),
];
