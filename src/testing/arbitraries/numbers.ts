import fc from "fast-check";

/**
 * Real numbers that shrink to simple ones: 0, 1, −1, small integers, few digits. Every number drawn and every simpler
 * one lies where `contains` says; nothing but the value is needed to shrink it.
 */
class Numbers extends fc.Arbitrary<number> {
  constructor(
    private readonly draw: (random: fc.Random) => number,
    private readonly contains: (x: number) => boolean,
  ) {
    super();
  }

  override generate(random: fc.Random): fc.Value<number> {
    let x = this.draw(random);
    while (!this.contains(x)) x = this.draw(random);
    return new fc.Value(x, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is number {
    return typeof value === "number" && this.contains(value);
  }

  override shrink(value: number): fc.Stream<fc.Value<number>> {
    const simpler = simplerNumbers(value).filter(this.contains);
    return fc.stream(simpler.map((x) => new fc.Value(x, undefined))[Symbol.iterator]());
  }
}

/** Numbers that are simpler than x, the simplest first. */
function simplerNumbers(x: number): number[] {
  const candidates = [0, 1, -1, 2, -2, 0.5, -0.5, -x];
  if (Number.isFinite(x)) {
    for (const round of [Math.trunc, (v: number) => Math.sign(v) * Math.ceil(Math.abs(v))])
      candidates.push(round(x));
    for (const digits of [1, 2, 3]) candidates.push(Number(x.toPrecision(digits)));
    candidates.push(Math.trunc(x / 2), Math.trunc(x * 0.75), Math.trunc(x - Math.sign(x)));
  }
  return [...new Set(candidates)].filter((candidate) => isSimpler(candidate, x));
}

/** Fewer digits, then smaller, then not negative. A total order with a least element, so that shrinking ends. */
function isSimpler(a: number, b: number): boolean {
  const digits = (x: number): number => (Number.isFinite(x) ? String(Math.abs(x)).length : Infinity);
  const sign = (x: number): number => (x < 0 || Object.is(x, -0) ? 1 : 0);
  if (digits(a) !== digits(b)) return digits(a) < digits(b);
  if (Math.abs(a) !== Math.abs(b)) return Math.abs(a) < Math.abs(b);
  return sign(a) < sign(b);
}

/** Numbers in [low, high], evenly drawn as millionths: there is no subnormal one among them. */
function between(
  low: number,
  high: number,
  contains = (x: number): boolean => x >= low && x <= high,
): Numbers {
  return new Numbers(
    (random) => Math.round((low + (high - low) * random.nextDouble()) * 1e6) / 1e6,
    contains,
  );
}

/** Parts of the number line on which functions are smooth, each a few units wide; there, differences are accurate. */
export const domains: Readonly<
  Record<"real" | "positive" | "aboveMinusOne" | "notZero" | "whole" | "bit", fc.Arbitrary<number>>
> = {
  /** −3 to 3 */
  real: between(-3, 3),
  /** 0.4 to 3 */
  positive: between(0.4, 3),
  /** −0.6 to 2 */
  aboveMinusOne: between(-0.6, 2),
  /** ±(0.4 to 3): away from a kink or pole at 0. */
  notZero: between(-3, 3, (x) => Math.abs(x) >= 0.4 && Math.abs(x) <= 3),
  /** −9 to 9, whole. */
  whole: new Numbers(
    (random) => random.nextInt(-9, 9),
    (x) => Number.isInteger(x) && Math.abs(x) <= 9,
  ),
  /** 0 and 1 */
  bit: new Numbers(
    (random) => random.nextInt(0, 1),
    (x) => x === 0 || x === 1,
  ),
};

/** Options of {@link magnitudes}. */
export interface MagnitudeOptions {
  /** The smallest magnitude but for 0. Default 2⁻¹⁰. */
  readonly low?: number;
  /** The largest magnitude. Default 2⁶: up to there, differences in float64 keep the digits that a law asks for. */
  readonly high?: number;
}

/** Numbers of both signs whose magnitude is drawn evenly on a logarithmic scale, and in one case of sixteen 0. */
export function magnitudes({ low = 2 ** -10, high = 2 ** 6 }: MagnitudeOptions = {}): fc.Arbitrary<number> {
  const draw = (random: fc.Random): number => {
    const chance = random.nextInt(0, 15);
    if (chance === 0) return 0;
    const exponent = Math.log2(low) + (Math.log2(high) - Math.log2(low)) * random.nextDouble();
    return (chance % 2 === 0 ? 1 : -1) * Math.min(high, Math.max(low, 2 ** exponent));
  };
  return new Numbers(draw, (x) => x === 0 || (Math.abs(x) >= low && Math.abs(x) <= high));
}

/** Values on which arithmetic goes wrong first: not finite, signed zero, the ends of the range of float32 and float64. */
const specialNumbers = [
  NaN,
  Infinity,
  -Infinity,
  -0,
  0,
  2 ** -149,
  2 ** -126,
  -(2 ** -126),
  1 - 2 ** -24,
  1 + 2 ** -23,
  (2 - 2 ** -23) * 2 ** 127,
  -(2 - 2 ** -23) * 2 ** 127,
  Number.MIN_VALUE,
  Number.MAX_VALUE,
];

/** Mostly the numbers of {@link magnitudes}; one in three is special: NaN, ±∞, −0, subnormal, the largest of a type. */
export const specials: fc.Arbitrary<number> = (() => {
  const usual = magnitudes();
  return new Numbers(
    (random) =>
      random.nextInt(0, 2) === 0
        ? specialNumbers[random.nextInt(0, specialNumbers.length - 1)]!
        : usual.generate(random, undefined).value,
    () => true,
  );
})();
