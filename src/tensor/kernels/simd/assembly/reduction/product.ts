// Products run in order, one factor after the other.

/** out[j] = Π of column j of x `[length, inner]`. */
export function multiplyColumns(x: usize, length: i32, inner: i32, out: usize): void {
  const row = <usize>inner << 2;
  const whole = <usize>(inner & ~3) << 2;
  for (let j: usize = 0; j < whole; j += 16) {
    let product = f32x4.splat(1);
    let at = x + j;
    for (let i = 0; i < length; i++, at += row) product = f32x4.mul(product, v128.load(at));
    v128.store(out + j, product);
  }
  for (let j = whole; j < row; j += 4) {
    let product: f32 = 1;
    let at = x + j;
    for (let i = 0; i < length; i++, at += row) product *= load<f32>(at);
    store<f32>(out + j, product);
  }
}
