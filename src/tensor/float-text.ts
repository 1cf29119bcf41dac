/** Digits after the point are at most this many. */
const precision = 4;

/** How many characters of a number stand before and after its point. */
interface Width {
  readonly left: number;
  readonly right: number;
}

/**
 * The text of floating numbers that are shown together, as NumPy's `array2string(x, precision=4)` has it: the shortest
 * digits that tell the number from its neighbours of the same type, but at most four after the point (half to even); points
 * aligned; with an exponent for all when one is 10⁸ (float32: 10⁶) or more, below 10⁻⁴, or a thousand times another.
 */
export function floatText(values: readonly number[], single: boolean): (value: number) => string {
  const finite = values.filter(Number.isFinite);
  const text = needsExponent(finite, single)
    ? scientificText(finite, single)
    : (value: number): string => positional(value, single);
  const width = widthOf(finite.map(text), values);
  return (value) => {
    if (!Number.isFinite(value)) return special(value).padStart(width.left + width.right + 1);
    const shown = text(value);
    const point = shown.indexOf(".");
    return shown.padStart(width.left + shown.length - point).padEnd(width.left + 1 + width.right);
  };
}

function widthOf(texts: readonly string[], values: readonly number[]): Width {
  const left = Math.max(0, ...texts.map((text) => text.indexOf(".")));
  const right = Math.max(0, ...texts.map((text) => text.length - text.indexOf(".") - 1));
  const longest = Math.max(0, ...values.filter((v) => !Number.isFinite(v)).map((v) => special(v).length));
  return { left: Math.max(left, longest - right - 1), right };
}

const special = (value: number): string => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");

function needsExponent(finite: readonly number[], single: boolean): boolean {
  let largest = 0;
  let smallest = Infinity;
  for (const value of finite) {
    const magnitude = Math.abs(value);
    if (magnitude === 0) continue;
    largest = Math.max(largest, magnitude);
    smallest = Math.min(smallest, magnitude);
  }
  const ratio = single ? Math.fround(largest / smallest) : largest / smallest;
  return largest >= (single ? 1e6 : 1e8) || smallest < (single ? Math.fround(1e-4) : 1e-4) || ratio > 1000;
}

/** Numbers as d.ddde±xx with as many digits, before and after the e, as the one that needs most. */
function scientificText(finite: readonly number[], single: boolean): (value: number) => string {
  const parts = finite.map((value) => scientific(value, single, precision).split("e") as [string, string]);
  const digits = Math.max(0, ...parts.map(([mantissa]) => mantissa.replace(/0+$/, "").split(".")[1]!.length));
  const power = Math.max(0, ...parts.map(([, exponent]) => exponent.length - 1));
  return (value) => {
    const [mantissa, exponent] = scientific(value, single, digits).split("e") as [string, string];
    return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(power, "0")}`;
  };
}

/** The fewest digits after the point of d.ddd…e±x that still read back as the same float32 or float64 number. */
function shortest(value: number, single: boolean): number {
  for (let digits = 0; digits < 17; digits++) {
    const read = Number(value.toExponential(digits));
    if ((single ? Math.fround(read) : read) === value) return digits;
  }
  return 17;
}

const sign = (value: number): string => (value < 0 || Object.is(value, -0) ? "-" : "");

function positional(value: number, single: boolean): string {
  const magnitude = Math.abs(value);
  const short = String(Number(magnitude.toExponential(shortest(magnitude, single))));
  const fits = (short.split(".")[1] ?? "").length <= precision;
  const shown = fits ? short : halfToEven(magnitude.toFixed(precision), magnitude.toFixed(100), precision);
  return sign(value) + (shown.includes(".") ? shown.replace(/0+$/, "") : `${shown}.`);
}

function scientific(value: number, single: boolean, digits: number): string {
  const magnitude = Math.abs(value);
  const exact = shortest(magnitude, single);
  const shown =
    exact <= digits
      ? Number(magnitude.toExponential(exact)).toExponential(digits)
      : halfToEven(magnitude.toExponential(digits), magnitude.toExponential(100), digits);
  const [mantissa, exponent] = shown.split("e") as [string, string];
  const power = Number(exponent);
  const padded = String(Math.abs(power)).padStart(2, "0");
  return `${sign(value)}${mantissa.includes(".") ? mantissa : `${mantissa}.`}e${power < 0 ? "-" : "+"}${padded}`;
}

/**
 * `rounded` to `digits` after the point, or one less in its last digit: JavaScript rounds a number halfway between two
 * away from 0, NumPy to the even one. `long` is the number to a hundred digits, which shows that it lies halfway.
 */
function halfToEven(rounded: string, long: string, digits: number): string {
  const beyond = long.split("e")[0]!.split(".")[1]!.slice(digits);
  if (!/^50*$/.test(beyond)) return rounded;
  const [mantissa, ...exponent] = rounded.split("e") as [string, ...string[]];
  return [mantissa.replace(/[13579]$/, (digit) => String(Number(digit) - 1)), ...exponent].join("e");
}
