/**
 * Multiplications and additions of four floats each, from registers: six chains x ← x·v and six sums s ← s + v, which keep
 * every unit busy while earlier results are on their way; more would not fit in x64's registers. 48 operations a round;
 * the result depends on all of them.
 */
export function rounds(count: i32, start: f32, factor: f32): f32 {
  const v = f32x4.splat(factor);
  let x0 = f32x4.splat(start);
  let x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0;
  let s0 = x0, s1 = x0, s2 = x0, s3 = x0, s4 = x0, s5 = x0;
  for (let i = 0; i < count; i++) {
    s0 = f32x4.add(s0, v);
    x0 = f32x4.mul(x0, v);
    s1 = f32x4.add(s1, v);
    x1 = f32x4.mul(x1, v);
    s2 = f32x4.add(s2, v);
    x2 = f32x4.mul(x2, v);
    s3 = f32x4.add(s3, v);
    x3 = f32x4.mul(x3, v);
    s4 = f32x4.add(s4, v);
    x4 = f32x4.mul(x4, v);
    s5 = f32x4.add(s5, v);
    x5 = f32x4.mul(x5, v);
  }
  const sums = f32x4.add(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)), f32x4.add(s4, s5));
  const powers = f32x4.add(f32x4.add(f32x4.add(x0, x1), f32x4.add(x2, x3)), f32x4.add(x4, x5));
  return f32x4.extract_lane(f32x4.add(sums, powers), 0);
}
