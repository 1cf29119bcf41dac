import type { Op, PlainOp } from "./op.js";
import { arithmetic } from "./ops/arithmetic.js";
import { comparison } from "./ops/comparison.js";
import { elementwise } from "./ops/elementwise.js";
import { indexing } from "./ops/indexing.js";
import { joining } from "./ops/joining.js";
import { linearAlgebra } from "./ops/linear-algebra.js";
import { normalization } from "./ops/normalization.js";
import { products } from "./ops/product.js";
import { position } from "./ops/position.js";
import { reduction } from "./ops/reduction.js";
import { scans } from "./ops/scan.js";
import { selection } from "./ops/selection.js";
import { shaping } from "./ops/shaping.js";
import { slicing } from "./ops/slicing.js";

const operations = {
  ...arithmetic,
  ...elementwise,
  ...selection,
  ...reduction,
  ...scans,
  ...shaping,
  ...joining,
  ...slicing,
  ...indexing,
  ...products,
  ...normalization,
  ...linearAlgebra,
  ...comparison,
  ...position,
};

/**
 * The operations whose result is a truth value or an index: the only ones that may stand without a gradient rule. `svd`, which
 * has three results and no gradient, is no op of this table: it refuses an input that requires one.
 */
export const withoutGradient = [
  "equal",
  "notEqual",
  "less",
  "lessEqual",
  "greater",
  "greaterEqual",
  "logicalAnd",
  "logicalOr",
  "logicalNot",
  "isNaN",
  "isFinite",
  "argmax",
  "argmin",
] as const;

type Attributes<O> = O extends PlainOp<infer A> ? A : never;

/** What a table of operations must be: each has a rule, unless {@link withoutGradient} names it. */
export type Total<Table> = {
  readonly [Name in keyof Table]: Name extends (typeof withoutGradient)[number]
    ? PlainOp<Attributes<Table[Name]>>
    : Op<Attributes<Table[Name]>>;
};

/**
 * Every operation of the package with its rule. The compiler proves it total: an operation that has no gradient rule and
 * is not named in {@link withoutGradient} does not compile here.
 */
export const rules: Total<typeof operations> = operations;
