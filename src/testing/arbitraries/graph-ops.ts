import { concat, maximum, minimum, type Tensor } from "../../autograd/index.js";

/** The size of an axis in a random graph: a dimension, or 1, which broadcasts. */
export type GraphAxis = "m" | "n" | 1;

/** What is known of a matrix whatever its elements and sizes turn out to be. */
export interface Bounds {
  readonly rows: GraphAxis;
  readonly columns: GraphAxis;
  readonly low: number;
  readonly high: number;
}

/** An operation that a random graph may use. */
export interface GraphOp {
  readonly arity: 1 | 2;
  /** Whether its derivative jumps somewhere. */
  readonly kinked?: boolean;
  /** What is known of the result; undefined when the operands are outside the domain on which it is smooth. */
  bounds(a: Bounds, b: Bounds): Bounds | undefined;
  apply(a: Tensor, b: Tensor): Tensor;
  /** As a line of a program. */
  text(a: string, b: string): string;
}

/** The largest size of a dimension of a random graph. */
export const largestSize = 4;

/** No element of a graph may grow beyond this, or differences lose their digits. */
const largestMagnitude = 60;

type Range = readonly [low: number, high: number];

function within(like: Bounds, [low, high]: Range): Bounds | undefined {
  return low >= -largestMagnitude && high <= largestMagnitude ? { ...like, low, high } : undefined;
}

const hull = (...values: number[]): Range => [Math.min(...values), Math.max(...values)];

/** Elementwise; `range` gives the image of an interval, undefined where the function is not smooth. */
function unary(name: string, range: (low: number, high: number) => Range | undefined): GraphOp {
  return {
    arity: 1,
    bounds: (a) => {
      const image = range(a.low, a.high);
      return image && within(a, image);
    },
    apply: (a) => (a as unknown as Record<string, () => Tensor>)[name]!(),
    text: (a) => `${a}.${name}()`,
  };
}

const monotone =
  (f: (x: number) => number): ((low: number, high: number) => Range) =>
  (low, high) => [f(low), f(high)];

/** Where 0 is at least 0.3 away. */
const awayFromZero = (low: number, high: number): boolean => low >= 0.3 || high <= -0.3;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function binary(name: string, range: (a: Bounds, b: Bounds) => Range | undefined): GraphOp {
  return {
    arity: 2,
    bounds: (a, b) => {
      const rows = common(a.rows, b.rows);
      const columns = common(a.columns, b.columns);
      const image = range(a, b);
      return rows && columns && image && within({ ...a, rows, columns }, image);
    },
    apply: (a, b) => (a as unknown as Record<string, (b: Tensor) => Tensor>)[name]!(b),
    text: (a, b) => `${a}.${name}(${b})`,
  };
}

/** The axis that two axes broadcast to. */
function common(a: GraphAxis, b: GraphAxis): GraphAxis | undefined {
  if (a === b || b === 1) return a;
  return a === 1 ? b : undefined;
}

const products = (a: Bounds, b: Bounds): Range =>
  hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);

/** Along an axis, which stays as 1. */
function reduction(name: string, axis: 0 | 1, range: (a: Bounds) => Range): GraphOp {
  const options = { keepDims: true };
  return {
    arity: 1,
    bounds: (a) => within({ ...a, [axis === 0 ? "rows" : "columns"]: 1 }, range(a)),
    apply: (a) =>
      (a as unknown as Record<string, (axis: number, options: object) => Tensor>)[name]!(axis, options),
    text: (a) => `${a}.${name}(${axis}, { keepDims: true })`,
  };
}

/** Along an axis, which keeps its size. */
function along(name: string, axis: 0 | 1, range: (a: Bounds) => Range): GraphOp {
  return {
    arity: 1,
    bounds: (a) => within(a, range(a)),
    apply: (a) => (a as unknown as Record<string, (axis: number) => Tensor>)[name]!(axis),
    text: (a) => `${a}.${name}(${axis})`,
  };
}

const sums = ({ low, high }: Bounds): Range => hull(low, high, largestSize * low, largestSize * high);

function product(transposeB: boolean): GraphOp {
  return {
    arity: 2,
    bounds: (a, b) => {
      const [inner, columns] = transposeB ? [b.columns, b.rows] : [b.rows, b.columns];
      return a.columns === inner
        ? within({ ...a, columns }, sums({ ...a, low: products(a, b)[0], high: products(a, b)[1] }))
        : undefined;
    },
    apply: (a, b) => a.matmul(b, { transposeB }),
    text: (a, b) => `${a}.matmul(${b}${transposeB ? ", { transposeB: true }" : ""})`,
  };
}

const kinked = (op: GraphOp): GraphOp => ({ ...op, kinked: true });

function pick(name: string, f: (a: Tensor, b: Tensor) => Tensor): GraphOp {
  const base = binary(name, (a, b) => hull(a.low, a.high, b.low, b.high));
  return { ...base, kinked: true, apply: f, text: (a, b) => `${name}(${a}, ${b})` };
}

/** The operations of random graphs; all are methods of tensors or functions of the package. */
export const graphOps: readonly GraphOp[] = [
  unary("neg", (low, high) => [-high, -low]),
  unary("square", (low, high) => [
    low <= 0 && high >= 0 ? 0 : Math.min(low ** 2, high ** 2),
    Math.max(low ** 2, high ** 2),
  ]),
  unary("tanh", monotone(Math.tanh)),
  unary("sigmoid", monotone(sigmoid)),
  unary(
    "softplus",
    monotone((x) => Math.log1p(Math.exp(x))),
  ),
  unary("erf", () => [-1, 1]),
  unary("sin", () => [-1, 1]),
  unary("cos", () => [-1, 1]),
  unary("gelu", (low, high) => [Math.min(-0.2, low), Math.max(0, high)]),
  unary("exp", monotone(Math.exp)),
  unary("expm1", monotone(Math.expm1)),
  unary("log", (low, high) => (low >= 0.3 ? [Math.log(low), Math.log(high)] : undefined)),
  unary("log1p", (low, high) => (low >= -0.6 ? [Math.log1p(low), Math.log1p(high)] : undefined)),
  unary("sqrt", (low, high) => (low >= 0.3 ? [Math.sqrt(low), Math.sqrt(high)] : undefined)),
  unary("reciprocal", (low, high) => (awayFromZero(low, high) ? hull(1 / low, 1 / high) : undefined)),
  binary("add", (a, b) => [a.low + b.low, a.high + b.high]),
  binary("sub", (a, b) => [a.low - b.high, a.high - b.low]),
  binary("mul", products),
  binary("div", (a, b) =>
    awayFromZero(b.low, b.high) ? products(a, { ...b, low: 1 / b.high, high: 1 / b.low }) : undefined,
  ),
  {
    arity: 1,
    bounds: (a) => ({ ...a, rows: a.columns, columns: a.rows }),
    apply: (a) => a.transpose(0, 1),
    text: (a) => `${a}.transpose(0, 1)`,
  },
  product(false),
  product(true),
  ...([0, 1] as const).flatMap((axis) => [
    reduction("sum", axis, sums),
    reduction("mean", axis, ({ low, high }) => [low, high]),
    reduction("logsumexp", axis, ({ low, high }) => [low, high + Math.log(largestSize)]),
    along("softmax", axis, () => [0, 1]),
    along("logSoftmax", axis, ({ low, high }) => [low - high - Math.log(largestSize), 0]),
    along("cumsum", axis, sums),
    along("flip", axis, ({ low, high }) => [low, high]),
  ]),
  {
    arity: 2,
    // Joined and summed at once: no axis is as long as both.
    bounds: (a, b) =>
      a.columns === b.columns
        ? within({ ...a, rows: 1 }, hull(2 * sums(a)[0], 2 * sums(a)[1], 2 * sums(b)[0], 2 * sums(b)[1]))
        : undefined,
    apply: (a, b) => concat([a, b], 0).sum(0, { keepDims: true }),
    text: (a, b) => `concat([${a}, ${b}], 0).sum(0, { keepDims: true })`,
  },
  kinked(unary("relu", (low, high) => [Math.max(0, low), Math.max(0, high)])),
  kinked(unary("abs", (low, high) => [0, Math.max(Math.abs(low), Math.abs(high))])),
  pick("maximum", maximum),
  pick("minimum", minimum),
];
