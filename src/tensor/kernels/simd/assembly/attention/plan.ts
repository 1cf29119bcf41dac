/*
 * The plan of an attention: whole numbers in memory, in this order. Operands take four: the address, then
 * the elements from one sequence, one head and one row to the next. src/tensor/kernels/simd/attention.ts
 * writes it.
 */
export const BATCH = 0;
export const HEADS = 1;
export const QUERIES = 2;
export const KEYS = 3;
export const FEATURES = 4;
export const WIDTH = 5;
export const CAUSAL = 6;
export const Q = 7;
export const K = 11;
export const V = 15;
export const OUT = 19;
/**
 * The address of the flags of hidden pairs (0: there are none), then the steps to the next sequence, head,
 * query and key.
 */
export const MASK = 23;
/** The address of the kept weights, or 0. */
export const WEIGHTS = 28;
export const SCRATCH = 29;
/**
 * The address of the cotangent of the result, laid out like it, and those for the cotangents of q, k and v.
 */
export const G = 30;
export const DQ = 31;
export const DK = 32;
export const DV = 33;

/** Queries that are computed at a time. */
export const ROWS = 32;

// @ts-ignore: decorator
@inline
export function value(plan: usize, at: i32): i32 {
  return load<i32>(plan + (<usize>at << 2));
}

/** The address of what `base` holds for a head of a sequence, when it is laid out as the operand `like`. */
export function headOf(plan: usize, base: i32, like: i32, b: i32, h: i32): usize {
  return value(plan, base) + (<usize>(b * value(plan, like + 1) + h * value(plan, like + 2)) << 2);
}

/** The elements from one row of an operand to the next. */
// @ts-ignore: decorator
@inline
export function rowOf(plan: usize, operand: i32): i32 {
  return value(plan, operand + 3);
}

/** The elements from one row of weights to the next. */
// @ts-ignore: decorator
@inline
export function pitchOf(plan: usize): i32 {
  return (value(plan, KEYS) + 15) & ~15;
}

/** The address of the kept weights of a head of a sequence. */
export function keptOf(plan: usize, b: i32, h: i32): usize {
  const rows = (b * value(plan, HEADS) + h) * value(plan, QUERIES);
  return value(plan, WEIGHTS) + (<usize>(rows * pitchOf(plan)) << 2);
}
