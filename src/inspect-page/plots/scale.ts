/** A way from numbers to places of a plot, with the ticks that are named. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
  readonly low: number;
  readonly high: number;
}

/** Even steps from 0 to 1 for numbers from low to high; ticks at 1, 2 or 5 times a power of ten. */
export function linear(values: readonly number[], most = 5): Scale {
  const finite = values.filter(Number.isFinite);
  let [low, high] = finite.length === 0 ? [0, 1] : [Math.min(...finite), Math.max(...finite)];
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return {
    at: (value) => (value - low) / (high - low),
    ticks: Array.from({ length: count }, (_, i) => (first + i) * step),
    low,
    high,
  };
}

/** Even steps for equal ratios; numbers that are not above 0 have no place (NaN). Ticks at powers of ten, over less than a decade or two at 2 and 5 times them too. */
export function logarithmic(values: readonly number[], most = 5): Scale {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  let [low, high] = positive.length === 0 ? [0.1, 10] : [Math.min(...positive), Math.max(...positive)];
  if (high / low < 10) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    [low, high] = [middle / Math.sqrt(10), middle * Math.sqrt(10)];
  }
  const [from, to] = [Math.log10(low), Math.log10(high)];
  const [first, last] = [Math.ceil(from - 1e-9), Math.floor(to + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first) / most));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += step) ticks.push(Number(`1e${power}`));
  if (last - first < 1)
    for (let power = first - 1; power <= last; power++)
      for (const factor of [2, 5]) {
        const tick = Number(`${factor}e${power}`);
        if (tick >= low && tick <= high) ticks.push(tick);
      }
  return {
    at: (value) => (value > 0 ? (Math.log10(value) - from) / (to - from) : NaN),
    ticks,
    low,
    high,
  };
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `10⁻³` for a power of ten, else the number. */
export function tickText(value: number, logarithmically: boolean): string {
  const isPower = Number(`1e${Math.round(Math.log10(value))}`) === value;
  if (!logarithmically || !isPower) return String(Number(value.toPrecision(6))).replace("-", "−");
  const power = Math.round(Math.log10(value));
  if (power >= 0 && power <= 2) return String(10 ** power);
  const digits = [...String(Math.abs(power))].map((digit) => superscripts[Number(digit)]);
  return `10${power < 0 ? "⁻" : ""}${digits.join("")}`;
}
