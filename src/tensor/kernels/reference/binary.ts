import type { Floats } from "../../dtype.js";
import { forEachRow, type Layout } from "../../layout.js";
import { pow32 } from "../../math/index.js";
import type { BinaryOp } from "../kernels.js";

/** One row: out[to + i] = op(a[at], b[bt]) with steps `da` and `db` between elements (0 where broadcast). */
type Row = (
  a: Floats,
  at: number,
  da: number,
  b: Floats,
  bt: number,
  db: number,
  out: Floats,
  to: number,
  n: number,
) => void;

const add: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = a[at]! + b[bt]!;
};
const sub: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = a[at]! - b[bt]!;
};
const mul: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = a[at]! * b[bt]!;
};
const div: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = a[at]! / b[bt]!;
};
const maximum: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = Math.max(a[at]!, b[bt]!);
};
const minimum: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = Math.min(a[at]!, b[bt]!);
};
const scale: Row = (a, at, da, b, bt, db, out, to, n) => {
  for (const end = to + n; to < end; to++, at += da, bt += db) out[to] = a[at] === 0 ? 0 : a[at]! * b[bt]!;
};
/** x^y as IEEE 754 and NumPy have it: 1 to any power is 1, where JavaScript has NaN for a NaN or infinite y. */
const pow: Row = (a, at, da, b, bt, db, out, to, n) => {
  const power = out instanceof Float32Array ? pow32 : Math.pow;
  for (const end = to + n; to < end; to++, at += da, bt += db) {
    const x = a[at]!;
    const y = b[bt]!;
    const one = x === 1 || (x === -1 && (y === Infinity || y === -Infinity));
    out[to] = one ? 1 : power(x, y);
  }
};

const rows: Record<BinaryOp, Row> = { add, sub, mul, div, pow, maximum, minimum, scale };

/**
 * out = op(a, b) with broadcasting. One operation in float64 on float32 operands, rounded once when stored, is the
 * float32 operation: float64 has more than twice the digits.
 */
export function binary(op: BinaryOp, layout: Layout, a: Floats, b: Floats, out: Floats): void {
  const row = rows[op];
  const last = layout.dims.length - 1;
  const inner = layout.dims[last]!;
  const da = layout.strides[0]![last]!;
  const db = layout.strides[1]![last]!;
  if (last === 0) row(a, 0, da, b, 0, db, out, 0, inner);
  else forEachRow(layout, (at, bt, to) => row(a, at, da, b, bt, db, out, to, inner));
}
