import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  erf64,
  erfc64,
  gelu64,
  geluSlope64,
  geluTanh64,
  geluTanhSlope64,
  sigmoid64,
  softplus64,
} from "../../../src/tensor/math/index.js";

/** Arguments and values, the latter computed with 40 digits (mpmath 1.3) at the exact float64 argument. */
const values: [name: string, f: (x: number) => number, points: [x: number, value: number][]][] = [
  [
    "erf64",
    erf64,
    [
      [1e-300, 1.1283791670955126e-300],
      [1e-9, 1.1283791670955127e-9],
      [0.1, 0.1124629160182849],
      [0.25, 0.27632639016823696],
      [0.49, 0.511668261188523],
      [0.5, 0.5204998778130465],
      [0.75, 0.7111556336535151],
      [1, 0.8427007929497149],
      [1.5, 0.9661051464753108],
      [2.5, 0.999593047982555],
      [4, 0.9999999845827421],
      [5.5, 0.9999999999999927],
    ],
  ],
  [
    "erfc64",
    erfc64,
    [
      [-3, 1.9999779095030015],
      [-0.75, 1.7111556336535152],
      [-0.2, 1.2227025892104784],
      [1e-9, 0.9999999988716208],
      [0.1, 0.887537083981715],
      [0.49, 0.4883317388114769],
      [0.5, 0.4795001221869535],
      [1, 0.15729920705028513],
      [1.5, 0.033894853524689274],
      [2.5, 0.0004069520174449589],
      [4, 1.541725790028002e-8],
      [6.25, 9.672204131876253e-19],
      [10, 2.088487583762545e-45],
      [20, 5.395865611607901e-176],
      [20.1, 9.735977140428878e-178],
      [26.3, 8.590249058794049e-303],
      [26.5, 2.2109076642637343e-307],
    ],
  ],
  [
    "gelu64",
    gelu64,
    [
      [-27.1, -1.3341832580565222e-160],
      [-23.3, -5.16473578091614e-119],
      [-19.7, -2.1238575641414746e-85],
      [-20, -5.507248237212468e-88],
      [-12.3, -5.570309556075305e-34],
      [-10, -7.619853024160526e-23],
      [-5, -1.4332578593959695e-6],
      [-3, -0.0040496940948902835],
      [-1.5, -0.1002108019032871],
      [-1, -0.15865525393145705],
      [-0.999, -0.15873844829567696],
      [-0.5, -0.15426876936299344],
      [-1e-9, -4.999999996010577e-10],
      [1e-9, 5.000000003989423e-10],
      [0.5, 0.34573123063700656],
      [3, 2.99595030590511],
      [7, 6.999999999991041],
    ],
  ],
];

describe.each(values)("%s", (_, f, points) => {
  it("has the published values to 2e-15 relative", () => {
    for (const [x, value] of points) expect(Math.abs(f(x) / value - 1), `at ${x}`).toBeLessThanOrEqual(2e-15);
  });
});

describe("erf64 and erfc64", () => {
  it("sum to 1, and are odd about 0 and 1", () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
        expect(erf64(x) + erfc64(x)).toBeCloseTo(1, 15);
        expect(erf64(-x)).toBe(-erf64(x));
        expect(erfc64(-x) + erfc64(x)).toBeCloseTo(2, 15);
      }),
    );
  });

  it("join their pieces within rounding", () => {
    const below = 0.5 - 2 ** -54;
    expect(erf64(0.5) / erf64(below)).toBeCloseTo(1, 15);
    expect(erfc64(0.5) / erfc64(below)).toBeCloseTo(1, 15);
  });

  it("end at their limits, and keep the sign of zero", () => {
    expect([erf64(Infinity), erf64(-Infinity), erf64(NaN), erf64(0), erf64(-0)]).toEqual([1, -1, NaN, 0, -0]);
    expect([erfc64(Infinity), erfc64(-Infinity), erfc64(NaN), erfc64(0), erfc64(28)]).toEqual([
      0,
      2,
      NaN,
      1,
      0,
    ]);
  });
});

describe("sigmoid64, softplus64 and geluTanh64", () => {
  it("satisfy their defining equations", () => {
    fc.assert(
      fc.property(fc.double({ min: -40, max: 40, noNaN: true }), (x) => {
        expect(sigmoid64(x) * (1 + Math.exp(-x))).toBeCloseTo(1, 14);
        expect(softplus64(x) - softplus64(-x)).toBeCloseTo(x, 13);
        expect(Math.exp(softplus64(-Math.abs(x)))).toBeCloseTo(1 + Math.exp(-Math.abs(x)), 14);
        const inner = Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3);
        expect(geluTanh64(x)).toBeCloseTo((x / 2) * (1 + Math.tanh(inner)), 12);
      }),
    );
  });

  it("end at their limits", () => {
    expect([sigmoid64(Infinity), sigmoid64(-Infinity), sigmoid64(-800)]).toEqual([1, 0, 0]);
    expect([softplus64(Infinity), softplus64(-Infinity), softplus64(1000)]).toEqual([Infinity, 0, 1000]);
    expect([geluTanh64(Infinity), geluTanh64(-Infinity), geluTanh64(-0)]).toEqual([Infinity, -0, -0]);
    expect([gelu64(Infinity), gelu64(-Infinity), gelu64(-0)]).toEqual([Infinity, -0, -0]);
  });
});

describe("geluSlope64 and geluTanhSlope64", () => {
  it("are the derivatives, by five-point differences", () => {
    const pairs = [
      [gelu64, geluSlope64],
      [geluTanh64, geluTanhSlope64],
    ] as const;
    const h = 1e-3;
    for (const [f, slope] of pairs) {
      for (let x = -12; x <= 12; x += 0.37) {
        const difference = (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
        expect(Math.abs(slope(x) - difference), `at ${x}`).toBeLessThanOrEqual(1e-10);
      }
    }
  });

  it("end at their limits", () => {
    for (const slope of [geluSlope64, geluTanhSlope64]) {
      expect([slope(Infinity), slope(0), slope(NaN)]).toEqual([1, 0.5, NaN]);
      expect(Math.abs(slope(-Infinity))).toBeLessThanOrEqual(1e-300);
    }
  });
});
