// √Σx² of rows, squares relative to a power of two.
import { dotOf, maxOf, minOf } from "../reduction/fold";
import { OVER, over } from "./passes";

/** The power of two at a positive, finite magnitude. */
// @ts-ignore: decorator
@inline
function unitOf(largest: f32): f32 {
  return <f32>reinterpret<f64>(reinterpret<u64>(<f64>largest) & 0x7ff0000000000000);
}

/** Rows of n; `scratch` has room for one. */
export function norm(rows: i32, n: i32, x: usize, out: usize, scratch: usize): void {
  for (let r = 0; r < rows; r++) {
    const most = maxOf(x, n);
    const least = -minOf(x, n);
    const largest: f32 = most > least ? most : least;
    if (n == 0 || largest == 0) store<f32>(out, 0);
    else if (!(largest < Infinity)) store<f32>(out, largest);
    else {
      const unit = unitOf(largest);
      over(OVER, x, x, x, unit, scratch, n);
      store<f32>(out, Mathf.sqrt(dotOf(scratch, scratch, n)) * unit);
    }
    x += <usize>n << 2;
    out += 4;
  }
}
