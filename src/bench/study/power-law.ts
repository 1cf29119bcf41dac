/** A point of a curve whose coordinates are both positive. */
export type CurvePoint = readonly [x: number, y: number];

/**
 * The exponent a of y = c xᵃ by least squares on the logarithms; NaN for fewer than two different x. Points that are not
 * positive are left out.
 */
export function fittedExponent(points: readonly CurvePoint[]): number {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const xx = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / xx;
}

/** Where one curve falls below another for good: the x, or before the first or after the last common x. */
export type Crossing = { readonly at: number } | "before the first" | "not up to the last";

/**
 * The x from which on `lower` stays below `upper`, at the x that both have; between two of them both are taken for power
 * laws. Both are ordered by x.
 */
export function crossing(lower: readonly CurvePoint[], upper: readonly CurvePoint[]): Crossing {
  const ratios = lower.flatMap(([x, y]): CurvePoint[] => {
    const other = upper.find(([at]) => at === x);
    return other ? [[x, y / other[1]]] : [];
  });
  const last = ratios.findLastIndex(([, ratio]) => !(ratio < 1));
  if (last === -1) return "before the first";
  if (last === ratios.length - 1) return "not up to the last";
  const [[x0, r0], [x1, r1]] = [ratios[last]!, ratios[last + 1]!];
  const share = Math.log(r0) / (Math.log(r0) - Math.log(r1));
  return { at: x0 * (x1 / x0) ** share };
}
