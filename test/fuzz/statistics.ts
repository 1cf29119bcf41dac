import type { Draw } from "./draw.js";
import type { FuzzSubject, FuzzSubjects } from "./subject.js";

const sample = (d: Draw, length = d.int(0, 9)): unknown =>
  d.maybe(
    d.pick<unknown>([0, 1, 2]) === 0
      ? Float64Array.from({ length }, () => d.int(-4, 4) / 2)
      : Array.from({ length }, () =>
          d.chance(0.03) ? d.number() : d.int(-9, 9) * d.pick([1, 0.1, 1e-300, 1e150]),
        ),
    0.1,
  );
const alpha = (d: Draw): unknown => d.maybe(d.pick([0.05, 0.5, 1e-9, 0, 1]), 0.2);
const number = (d: Draw): unknown => d.maybe(d.pick([d.number(), d.int(-9, 9), d.int(0, 99) / 100]), 0.15);
const of = (...parts: ((d: Draw) => unknown)[]): FuzzSubject => ({
  args: (d) => parts.map((part) => part(d)),
});
const whole = (d: Draw): unknown => d.maybe(d.int(0, 30), 0.2);
const two = (d: Draw): unknown[] => { const n = d.int(0, 6); return [sample(d, n), sample(d, d.chance(0.1) ? 3 : n)]; }; // prettier-ignore
const options = (d: Draw): unknown => d.options({ draws: d.int(1, 50), seed: d.int(0, 5), alternative: d.pick(["two-sided", "greater", "less"]) }, 0.15); // prettier-ignore

export const statistics: FuzzSubjects = {
  bcaInterval: of(sample, alpha),
  binomialRange: of(whole, number, number),
  signEProcess: of(sample),
  signEProcessInterval: of(sample, alpha),
  dz: of(sample),
  hedgesCorrection: of(number),
  hedgesGz: of(sample),
  pairCorrelation: { args: two },
  hodgesLehmann: of(sample),
  incompleteBeta: of(number, number, number, number),
  mean: of(sample),
  populationStd: of(sample),
  sampleStd: of(sample),
  benjaminiHochberg: of((d) => d.maybe([0.1, 0.5, d.number()], 0.2)),
  holm: of((d) => d.maybe([0.1, 0.5, d.number()], 0.2)),
  noncentralTCdf: of(number, number, number),
  normalCdf: of(number),
  normalPdf: of(number),
  normalQuantile: of(number),
  halfWidthMde: of(sample),
  pairedT: of(sample),
  standardError: of(sample),
  tInterval: of(sample, alpha),
  permutationP: of(whole, whole, whole),
  detectableEffect: of((d) => d.options({ n: d.int(0, 40), alpha: alpha(d), power: 0.8 }, 0.15)),
  neededPairs: of((d) => d.options({ dz: d.pick([0, 0.1, -1, 5, NaN]), alpha: alpha(d), power: 0.8 }, 0.15)),
  power: of((d) => d.options({ n: d.int(0, 40), dz: d.number(), alpha: alpha(d) }, 0.1)),
  fewestPairs: of(alpha),
  signFlipExact: of(sample, options),
  smallestSignFlipP: of(whole),
  signFlipInterval: of(sample, alpha, options),
  signFlipMonteCarlo: of(sample, options),
  signFlipReport: of(sample),
  signFlipTest: of(sample, options),
  studentTCdf: of(number, number),
  studentTQuantile: of(number, number),
  studentTTwoSided: of(number, number),
  tost: of(sample, number),
  probabilityOfImprovement: of(sample, (d) => d.maybe(d.pick(["lower", "higher"]), 0.15), alpha),
  wilsonInterval: of(whole, whole, alpha),
};
